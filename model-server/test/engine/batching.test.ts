import type { BatchItem } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../src/engine/batching.ts';

const item = (length: number): BatchItem => ({
  // Only the number of tokens counts here.
  tokens: new Array(length),
  logits: [],
  evaluationPriority: 3,
});

describe('a batch', () => {
  it('holds the tokens of the sequence that has waited longest, and of no other', () => {
    const [first, second] = [item(10), item(1)];
    expect(oneAtATime({ items: [first, second], size: 64 })).toEqual([
      { item: first, processAmount: 10 },
    ]);
  });

  it('never exceeds its size', () => {
    const [batch] = oneAtATime({ items: [item(100)], size: 64 });
    expect(batch?.processAmount).toBe(64);
  });

  it('is empty when nobody waits', () => {
    expect(oneAtATime({ items: [], size: 64 })).toEqual([]);
  });
});
