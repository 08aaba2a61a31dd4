import { describe, expect, it } from 'vitest';
import { FILL_BESIDE_REPLIES, MAX_GAP } from '../../src/constants.ts';
import { gapsOf, nextBatch, type Waiting } from '../../src/engine/batching.ts';

const reply = (sequence: number, more: Partial<Waiting> = {}): Waiting => ({
  sequence,
  tokens: 1,
  reply: true,
  alone: false,
  ...more,
});
const prompt = (sequence: number, tokens: number, more: Partial<Waiting> = {}): Waiting =>
  reply(sequence, { tokens, reply: false, ...more });
const sharesOf = (waiting: readonly Waiting[], size: number) =>
  nextBatch(waiting, size).map(({ item, tokens }) => [item.sequence, tokens]);

/** Serve batch after batch; whoever is not done asks again behind the others. */
function serve(waiting: readonly Waiting[], batches: number, size: number): Map<number, number> {
  const served = new Map<number, number>();
  let line = [...waiting];
  for (let batch = 0; batch < batches; batch++) {
    const shares = nextBatch(line, size);
    for (const { item, tokens } of shares) {
      served.set(item.sequence, (served.get(item.sequence) ?? 0) + tokens);
    }
    const now = new Set(shares.map(({ item }) => item));
    line = [...line.filter((item) => !now.has(item)), ...line.filter((item) => now.has(item))];
  }
  return served;
}

describe('a batch', () => {
  it('holds the next token of every reply, by rising sequence', () => {
    expect(sharesOf([reply(5), reply(0), reply(3)], 128)).toEqual([
      [0, 1],
      [3, 1],
      [5, 1],
    ]);
  });

  it('is filled with prompts when nobody reads along', () => {
    expect(sharesOf([prompt(1, 100), prompt(0, 100)], 128)).toEqual([
      [0, 28],
      [1, 100],
    ]);
  });

  it('holds a bounded part of long prompts beside replies, so that these are not held up', () => {
    const shares = sharesOf([prompt(0, 1_000), prompt(1, 1_000), reply(2), reply(3)], 128);
    expect(shares).toEqual([
      [0, FILL_BESIDE_REPLIES],
      [2, 1],
      [3, 1],
    ]);
  });

  it('never exceeds its size, and a prompt keeps a place in it', () => {
    const many = Array.from({ length: 20 }, (_, sequence) => reply(sequence));
    const shares = sharesOf([...many, prompt(20, 50)], 8);
    expect(shares.reduce((sum, [, tokens]) => sum + (tokens ?? 0), 0)).toBe(8);
    expect(shares.at(-1)).toEqual([20, 1]);
  });

  it('of a sequence that wants to be alone holds no other, and no other holds it', () => {
    const lonely = reply(1, { alone: true });
    expect(sharesOf([lonely, reply(0), prompt(2, 9)], 128)).toEqual([[1, 1]]);
    expect(sharesOf([reply(0), lonely, prompt(2, 9)], 128)).toEqual([
      [0, 1],
      [2, 9],
    ]);
    expect(sharesOf([prompt(1, 500, { alone: true })], 128)).toEqual([[1, 128]]);
  });

  it('is empty when nobody waits', () => {
    expect(nextBatch([], 64)).toEqual([]);
  });
});

describe('batch after batch', () => {
  it('nobody starves, whatever the others want', () => {
    const waiting = [
      prompt(0, 1_000),
      reply(1, { alone: true }),
      reply(2, { alone: true }),
      ...Array.from({ length: 12 }, (_, index) => reply(3 + index)),
      prompt(15, 1_000),
    ];
    const served = serve(waiting, 30, 8);
    for (const { sequence } of waiting) expect(served.get(sequence)).toBeGreaterThan(2);
  });
});

describe('gaps between sequences', () => {
  it('are bridged when they are small', () => {
    expect(gapsOf([0, 2, 3, 6])).toEqual([1, 4, 5]);
    expect(gapsOf([3])).toEqual([]);
    expect(gapsOf([])).toEqual([]);
  });

  it('are left when bridging them would cost more than a pass of its own', () => {
    expect(gapsOf([0, MAX_GAP + 2])).toEqual([]);
  });
});
