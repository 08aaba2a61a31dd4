/**
 * Every number of the trajectory, with its reason. "Measured" figures are of the tune half of the
 * validation conversations; docs/decisions/2026-11-30-families-and-trajectory.md says of which. What
 * is chosen by hand has no figure behind it.
 */

/**
 * Turns after which a reading counts half. Of 0.25 … 8 this tells the present conversation's
 * polarity best (AUC 0.92) and is nearest to the next turn, both measured.
 */
export const HALF_LIFE_TURNS = 1.5;

/**
 * Time after which a reading counts 1/e. Anxiety, hope and disappointment last about a day, sadness
 * longer, anger and shame less (Verduyn & Lavrijsen 2015, "Which emotions last longest and why").
 */
export const MEMORY_MS = 24 * 60 * 60 * 1000;

/** Weight below which what was read is forgotten: a silence of two weeks, or thirty unread turns. */
export const FORGOTTEN = 1e-6;

/**
 * Stretches a valence to the spread of the tone, where a turn has a valence only. Chosen by hand:
 * valences keep close to the middle of their scale, tones do not.
 */
export const VALENCE_TO_TONE = 4;

/** Turns that are searched for a shift: what lies further back is no news. Chosen by hand. */
export const SHIFT_WINDOW = 16;

/** Turns on either side of a shift; with fewer a single turn would be a side. */
export const SHIFT_MIN_TURNS = 2;

/**
 * Least change of the tone that is a shift, without the turn that speaks most for it. Measured: of
 * short dialogues on one feeling 6 % reach it, of those that turn, long enough to show, more than
 * three quarters.
 */
export const SHIFT_TONE = 0.6;

/** Least divergence of the families, in bits, likewise. Measured: 6 % against nearly half. */
export const SHIFT_DIVERGENCE = 0.4;

/** Turns that a trend looks at; the oldest of them weighs a tenth in the smoothing. By hand. */
export const TREND_TURNS = 6;

/** Rise over those turns that is a trend, and spread below which they are steady. By hand. */
export const TREND_RISE = SHIFT_TONE;

/** Share of a pleasant and of an unpleasant family that makes the whole message mixed: measured. */
export const MIXED_SHARE = 0.3;

/** Tone that a part of the message must reach on either side. Chosen by hand. */
export const MIXED_PART_TONE = 0.4;

/** Entropy, as a share of the largest, from which no family stands out. Chosen by hand. */
export const FLAT_EVENNESS = 0.85;
