/** Which tokens of which sequence go into the next llama.cpp batch. */
import type { CustomBatchingPrioritizationStrategy } from 'node-llama-cpp';

/**
 * One sequence a batch, in the order in which they asked; a sequence asks again for each of its
 * tokens, so several replies advance in turn.
 *
 * Sequences are not decoded together: with three or more in one batch, node-llama-cpp 3.21.1 now and
 * then hands a sequence the probabilities of another one (the likely cause: it reads them from
 * several threads at once, and llama.cpp orders the rows of a mixed batch at the first read). Up to 5 of 30
 * scored replies were wrong by more than half a nat with four sequences at work;
 * test/engine/isolation.test.ts keeps watch. It also makes a seeded reply independent of whoever
 * else is served: the last bits of a matrix product depend on how many rows it has.
 */
export const oneAtATime: CustomBatchingPrioritizationStrategy = ({ items, size }) => {
  const [head] = items;
  return head === undefined
    ? []
    : [{ item: head, processAmount: Math.min(size, head.tokens.length) }];
};
