/** What the edge understands of a message. Pure types, shared by every later room. */
import type { Emotion } from './emotions.ts';
import type { Groups } from './groups.ts';

/** One turn of the dialogue as the models see it. */
export interface DialogueTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface RankedEmotion {
  readonly label: Emotion;
  /** Calibrated probability in [0, 1]; the 32 of one result sum to 1. */
  readonly probability: number;
}

/**
 * Why the classifier does not stand behind its ranking: there was no word to read; the words are of
 * another language; no emotion is clear.
 */
export type AbstainReason = 'no_words' | 'language' | 'low_confidence';

/** The part of a reading that the later rooms act on. */
export interface Affect {
  /** All 32 emotions, most probable first. */
  readonly emotions: readonly RankedEmotion[];
  /** True when the classifier does not stand behind its top label. */
  readonly abstained: boolean;
  /** Why it abstained. */
  readonly abstain_reason?: AbstainReason;
}

/** A word that the emotion comes from. */
export interface Cause {
  /** Index of its message among those given. */
  readonly message: number;
  /** UTF-16 offsets into the text of that message as it was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * Saliency in [0, 1]: how much the word speaks for being part of the cause. It orders the words; it
   * is no calibrated probability.
   */
  readonly score: number;
}

/** Names of the graph's scores that this code knows (`affect.json`, `scores`). */
export const SCORES = [
  'valence',
  'arousal',
  'dominance',
  'intensity',
  'distress',
  'concern',
  'self_disclosure',
] as const;

/**
 * Each within the bounds that `affect.json` names for it: valence, arousal and dominance −1…1, the
 * others 0…1. Null when nothing could be read or the model has no such head.
 */
export type ScoreValues = { readonly [name in (typeof SCORES)[number]]: number | null };

/** Everything that is read in a dialogue. Without words, or in another language, scores are null. */
export interface Reading extends Affect, ScoreValues {
  readonly groups: Groups;
  /**
   * Words, most salient first; function words are left out. At most `MAX_CAUSES` of the message that
   * is judged and `MAX_EARLIER_CAUSES` of those before it.
   */
  readonly causes: readonly Cause[];
  /**
   * ISO 639-1 code of the person's latest turn, or, when that is too short to tell, of the newest that
   * is not; null when there is none or it is unclear.
   */
  readonly language: string | null;
}

/** Result of the classifier: a value, never an exception, so that a turn can go on without it. */
export type AffectResult =
  | { readonly ok: true; readonly affect: Reading }
  | { readonly ok: false; readonly code: 'model_unavailable'; readonly message: string };
