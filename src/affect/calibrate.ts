/** From logits to probabilities and their order. */
import { EMOTIONS } from './emotions.ts';
import type { RankedEmotion } from './types.ts';

/**
 * Softmax of `logits / temperature` (temperature scaling, Guo et al. 2017, arXiv 1706.04599).
 *
 * @param logits any length ≥ 1, finite.
 * @param temperature > 0; above 1 flattens.
 * @returns probabilities in the order of the logits, summing to 1; `null` when a logit or the
 *   temperature is not usable, so that NaN never looks like a result.
 */
export function calibratedSoftmax(logits: ArrayLike<number>, temperature: number): number[] | null {
  const scaled = Array.from(logits, (logit) => logit / temperature);
  if (scaled.length === 0 || !(temperature > 0) || !scaled.every(Number.isFinite)) return null;
  // The largest exponent is 0, so nothing overflows.
  const largest = Math.max(...scaled);
  const weights = scaled.map((value) => Math.exp(value - largest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * All emotions, most probable first; equal ones in the order of `EMOTIONS`, so that the result does
 * not depend on the engine's sort.
 *
 * @param probabilities one per entry of `EMOTIONS`, same order.
 */
export function rank(probabilities: readonly number[]): RankedEmotion[] {
  return EMOTIONS.map((label, index) => ({ label, probability: probabilities[index] ?? 0 })).sort(
    (left, right) => right.probability - left.probability,
  );
}

/** The ranking of someone who heard nothing: every emotion equally probable. */
export function uniform(): number[] {
  return EMOTIONS.map(() => 1 / EMOTIONS.length);
}
