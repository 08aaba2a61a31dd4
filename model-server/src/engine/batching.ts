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
 * First come, first served between lone sequences and the others: a lone one at the head of the line
 * gets a batch of its own; otherwise all others get an equal share, short pieces (running replies)
 * before long ones (new prompts).
 */
export const shareBatch: CustomBatchingPrioritizationStrategy = ({ items, size }) => {
  const [head] = items;
  if (head !== undefined && head.evaluationPriority === ALONE) {
    return [{ item: head, processAmount: Math.min(size, head.tokens.length) }];
  }
  const sharing = items
    .filter((item) => item.evaluationPriority !== ALONE)
    .sort((a, b) => a.tokens.length - b.tokens.length);
  let left = size;
  return sharing.flatMap((item, index) => {
    const share = Math.floor(left / (sharing.length - index));
    const processAmount = Math.min(share, item.tokens.length);
    left -= processAmount;
    return processAmount > 0 ? [{ item, processAmount }] : [];
  });
};
