import type { BatchItem, EvaluationPriority } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { ALONE, SHARED, shareBatch } from '../../src/engine/batching.ts';

const item = (length: number, evaluationPriority: EvaluationPriority = SHARED): BatchItem => ({
  // Only the number of tokens counts here.
  tokens: new Array(length),
  logits: [],
  evaluationPriority,
});
const amounts = (items: BatchItem[], size: number) => {
  const chosen = shareBatch({ items, size });
  return items.map((one) => chosen.find((entry) => entry.item === one)?.processAmount ?? 0);
};

describe('sharing a batch', () => {
  it('gives running replies their token before new prompts get the rest', () => {
    expect(amounts([item(100), item(1), item(1), item(100)], 64)).toEqual([31, 1, 1, 31]);
  });

  it('never exceeds the size, and gives nobody less than the others need', () => {
    expect(amounts([item(10), item(10)], 64)).toEqual([10, 10]);
    expect(amounts([item(50), item(50), item(50)], 64)).toEqual([21, 21, 22]);
  });

  it('decodes a lone sequence in a batch of its own, when its turn has come', () => {
    expect(amounts([item(100, ALONE), item(1), item(1, ALONE)], 64)).toEqual([64, 0, 0]);
    expect(amounts([item(1), item(100, ALONE), item(1)], 64)).toEqual([1, 0, 1]);
  });
});
