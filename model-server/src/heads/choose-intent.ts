/** Which intent steers the reply. */
import type { Intent, Steering } from '../engine/slots.ts';
import type { Ranked } from './types.ts';

/**
 * The forced intent, or the best one after the bias: argmax of log p + bias.
 * @param intents the head's labels, most probable first
 * @param bias additive log weights
 * @returns `any` when the head offers nothing
 */
export function chooseIntent(
  intents: readonly Ranked<Intent>[],
  forced: Steering | null,
  bias: Readonly<Partial<Record<Intent, number>>>,
): Steering {
  if (forced !== null) return forced;
  let best: Steering = 'any';
  let score = Number.NEGATIVE_INFINITY;
  for (const { label, probability } of intents) {
    const weighted = Math.log(probability) + (bias[label] ?? 0);
    if (weighted > score) {
      best = label;
      score = weighted;
    }
  }
  return best;
}
