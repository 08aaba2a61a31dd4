/** What is said when the language model cannot be reached: honest, short, and not a dead end. */
import type { Affect } from '../affect/types.ts';

const HEARD: Partial<Record<string, string>> = {
  afraid: 'That sounds frightening.',
  terrified: 'That sounds frightening.',
  anxious: 'That sounds like a lot of worry to carry.',
  apprehensive: 'That sounds like a lot of worry to carry.',
  angry: 'I can hear that this made you angry.',
  furious: 'I can hear that this made you angry.',
  annoyed: 'That sounds frustrating.',
  sad: 'That sounds sad, and I am sorry.',
  devastated: 'That sounds very hard, and I am sorry.',
  lonely: 'That sounds lonely.',
  disappointed: 'That sounds disappointing.',
  guilty: 'That sounds as if it weighs on you.',
  ashamed: 'That sounds as if it weighs on you.',
};

/** Below this probability naming a feeling would be a guess. */
const SURE_ENOUGH = 0.4;

const BECAUSE =
  'I am sorry, the part of me that writes answers cannot be reached at the moment, so I cannot reply properly. What you wrote is kept. Please try again in a minute.';

/**
 * The reply of a degraded turn. It names a hard feeling only when the classifier is sure of it and
 * claims nothing else; that this is not the full service is said in words, not only in a field.
 */
export function degradedReply(affect: Affect | null): string {
  const top = affect !== null && !affect.abstained ? affect.emotions[0] : undefined;
  const heard = top !== undefined && top.probability >= SURE_ENOUGH ? HEARD[top.label] : undefined;
  return heard === undefined ? BECAUSE : `${heard} ${BECAUSE}`;
}
