/** Which tokens of which sequence go into the next llama.cpp batch. */
import type { CustomBatchingPrioritizationStrategy, EvaluationPriority } from 'node-llama-cpp';

/** The usual priority. */
export const SHARED: EvaluationPriority = 3;
/**
 * A sequence with this priority is decoded alone. The sums of a matrix product depend in their last
 * bits on how many rows it has, so a reproducible reply must not share a batch with whoever else is
 * there at the time.
 */
export const ALONE: EvaluationPriority = 5;

/**
 * One lone sequence first, in a batch of its own; otherwise everyone gets an equal share, short
 * pieces (running replies) before long ones (new prompts).
 */
export const shareBatch: CustomBatchingPrioritizationStrategy = ({ items, size }) => {
  const lone = items.find((item) => item.evaluationPriority === ALONE);
  if (lone !== undefined) {
    return [{ item: lone, processAmount: Math.min(size, lone.tokens.length) }];
  }
  const waiting = items.toSorted((a, b) => a.tokens.length - b.tokens.length);
  let left = size;
  return waiting.flatMap((item, index) => {
    const share = Math.floor(left / (waiting.length - index));
    const processAmount = Math.min(share, item.tokens.length);
    left -= processAmount;
    return processAmount > 0 ? [{ item, processAmount }] : [];
  });
};
