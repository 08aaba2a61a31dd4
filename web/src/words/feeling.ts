/** The understood emotion in words rather than percentages. */
import type { Emotion } from '../../../src/affect/emotions.ts';
import type { RankedEmotion } from '../../../src/affect/types.ts';

/** From here on the top label is said without "perhaps". */
const SURE = 0.5;
/** Below this even "perhaps" would claim too much: 32 labels at random give 0.03 each. */
const WORTH_SAYING = 0.15;

/** Labels of the data set that read oddly after "you sound". */
const SAID_AS: Partial<Record<Emotion, string>> = {
  anticipating: 'expectant',
  apprehensive: 'uneasy',
  faithful: 'loyal',
  prepared: 'ready',
};

/**
 * @param emotions most probable first
 * @returns a short phrase, or null where nothing is certain enough to be said
 */
export function feelingPhrase(emotions: readonly RankedEmotion[]): string | null {
  const [first, second] = emotions;
  if (first === undefined || first.probability < WORTH_SAYING) return null;
  const said = SAID_AS[first.label] ?? first.label;
  if (first.probability >= SURE) return `sounds ${said}`;
  if (second === undefined || second.probability < WORTH_SAYING) return `perhaps ${said}`;
  return `perhaps ${said} or ${SAID_AS[second.label] ?? second.label}`;
}
