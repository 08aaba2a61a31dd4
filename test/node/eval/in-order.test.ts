import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../eval/in-order.ts';

/** Resolves after so many turns of the event loop. */
async function turnsOfTheLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('inOrder', () => {
  it('gives results in the order of the items, whichever ends first', async () => {
    const work = async (item: number) => {
      await turnsOfTheLoop(10 - item);
      return item * 2;
    };
    expect(await inOrder([1, 2, 3, 4], work, { lanes: 3 })).toEqual([2, 4, 6, 8]);
  });

  it('has at most so many items in work, and tells how many are finished', async () => {
    let working = 0;
    let most = 0;
    const told: number[] = [];
    const work = async () => {
      most = Math.max(most, ++working);
      await turnsOfTheLoop(2);
      working--;
    };
    await inOrder(Array(9).fill(0), work, { lanes: 4, done: (finished) => told.push(finished) });
    expect(most).toBe(4);
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('begins nothing new after a failure, and fails with it', async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await turnsOfTheLoop(1);
      if (item === 1) throw new Error('broken');
    };
    await expect(inOrder([0, 1, 2, 3, 4, 5, 6, 7], work, { lanes: 2 })).rejects.toThrow('broken');
    expect(begun.length).toBeLessThan(8);
  });
});
