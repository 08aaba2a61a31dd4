/**
 * The 32 emotions seen from further away: eight families, and whether the feeling is pleasant.
 *
 * The families are the six basic-level categories of Shaver et al. (1987, "Emotion knowledge",
 * JPSP 52: love, joy, surprise, anger, sadness, fear) with two of their subclusters set apart because
 * they ask for another reply: shame from sadness, hope from joy. What was decided for labels that
 * sources place differently, and why, is in docs/decisions/2026-11-30-families-and-trajectory.md.
 */
import { uniform } from './calibrate.ts';
import { EMOTIONS, type Emotion } from './emotions.ts';

/** The families, in the order in which equal ones are ranked. */
export const FAMILIES = [
  'anger',
  'fear',
  'sadness',
  'shame',
  'surprise',
  'hope',
  'warmth',
  'joy',
] as const;

export type Family = (typeof FAMILIES)[number];

export type Polarity = 'positive' | 'negative' | 'neutral';

/** Shares of one message's feeling; all three ≥ 0, sum 1. */
export interface PolarityShares {
  readonly positive: number;
  readonly negative: number;
  readonly neutral: number;
}

export interface Groups {
  /** All eight, most probable first; probabilities ≥ 0, sum 1. */
  readonly families: readonly { readonly family: Family; readonly probability: number }[];
  readonly polarity: PolarityShares;
}

interface Place {
  readonly family: Family;
  readonly polarity: Polarity;
}

/** `neutral` marks the labels about which the sources disagree: neither to be cheered nor consoled. */
const PLACES: Readonly<Record<Emotion, Place>> = {
  afraid: { family: 'fear', polarity: 'negative' },
  angry: { family: 'anger', polarity: 'negative' },
  annoyed: { family: 'anger', polarity: 'negative' },
  anticipating: { family: 'hope', polarity: 'neutral' },
  anxious: { family: 'fear', polarity: 'negative' },
  apprehensive: { family: 'fear', polarity: 'negative' },
  ashamed: { family: 'shame', polarity: 'negative' },
  caring: { family: 'warmth', polarity: 'positive' },
  confident: { family: 'hope', polarity: 'positive' },
  content: { family: 'joy', polarity: 'positive' },
  devastated: { family: 'sadness', polarity: 'negative' },
  disappointed: { family: 'sadness', polarity: 'negative' },
  disgusted: { family: 'anger', polarity: 'negative' },
  embarrassed: { family: 'shame', polarity: 'negative' },
  excited: { family: 'joy', polarity: 'positive' },
  faithful: { family: 'warmth', polarity: 'positive' },
  furious: { family: 'anger', polarity: 'negative' },
  grateful: { family: 'warmth', polarity: 'positive' },
  guilty: { family: 'shame', polarity: 'negative' },
  hopeful: { family: 'hope', polarity: 'positive' },
  impressed: { family: 'warmth', polarity: 'positive' },
  jealous: { family: 'anger', polarity: 'negative' },
  joyful: { family: 'joy', polarity: 'positive' },
  lonely: { family: 'sadness', polarity: 'negative' },
  nostalgic: { family: 'warmth', polarity: 'neutral' },
  prepared: { family: 'hope', polarity: 'neutral' },
  proud: { family: 'joy', polarity: 'positive' },
  sad: { family: 'sadness', polarity: 'negative' },
  sentimental: { family: 'warmth', polarity: 'neutral' },
  surprised: { family: 'surprise', polarity: 'neutral' },
  terrified: { family: 'fear', polarity: 'negative' },
  trusting: { family: 'warmth', polarity: 'positive' },
};

/** What a family is by and large; single labels in it may be neutral (`polarityOf`). */
const FAMILY_POLARITY: Readonly<Record<Family, Polarity>> = {
  anger: 'negative',
  fear: 'negative',
  sadness: 'negative',
  shame: 'negative',
  surprise: 'neutral',
  hope: 'positive',
  warmth: 'positive',
  joy: 'positive',
};

/** The family of an emotion. */
export function familyOf(emotion: Emotion): Family {
  return PLACES[emotion].family;
}

/** Whether an emotion is pleasant, unpleasant, or either. */
export function polarityOf(emotion: Emotion): Polarity {
  return PLACES[emotion].polarity;
}

/** Whether a family is pleasant, unpleasant, or either. */
export function familyPolarityOf(family: Family): Polarity {
  return FAMILY_POLARITY[family];
}

/**
 * Families and polarity of one distribution over the emotions.
 *
 * @param probabilities one per entry of `EMOTIONS`, same order; what `distributionOf` makes of them
 *   is used, and where it makes nothing, `uniform()`: someone who heard nothing. NaN never comes out.
 */
export function groupsOf(probabilities: readonly number[]): Groups {
  const families: Record<Family, number> = {
    anger: 0,
    fear: 0,
    sadness: 0,
    shame: 0,
    surprise: 0,
    hope: 0,
    warmth: 0,
    joy: 0,
  };
  const polarity: Record<Polarity, number> = { positive: 0, negative: 0, neutral: 0 };
  for (const [index, probability] of (distributionOf(probabilities) ?? uniform()).entries()) {
    const emotion = EMOTIONS[index];
    if (emotion === undefined) continue;
    families[familyOf(emotion)] += probability;
    polarity[polarityOf(emotion)] += probability;
  }
  return {
    families: FAMILIES.map((family) => ({ family, probability: families[family] })).sort(
      (left, right) => right.probability - left.probability,
    ),
    polarity,
  };
}

/**
 * Probabilities brought to sum 1.
 *
 * @param probabilities one per entry of `EMOTIONS`, same order. An entry that is missing, negative or
 *   not finite counts as 0.
 * @returns 32 numbers ≥ 0 with sum 1; `null` where nothing is left.
 */
export function distributionOf(probabilities: readonly number[]): number[] | null {
  const usable = EMOTIONS.map((_, index) => {
    const probability = probabilities[index] ?? 0;
    return Number.isFinite(probability) && probability > 0 ? probability : 0;
  });
  const sum = usable.reduce((total, probability) => total + probability, 0);
  if (!(sum > 0 && Number.isFinite(sum))) return null;
  return usable.map((probability) => probability / sum);
}
