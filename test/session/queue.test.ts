import { describe, expect, it } from 'vitest';
import { TurnQueue } from '../../src/session/queue.ts';

/** Enters turns and notes the order in which they come to hold the session. */
function order(queue: TurnQueue) {
  const held: number[] = [];
  const enter = (n: number, urgent = false) =>
    queue.enter(n, urgent).then((yes) => {
      if (yes) held.push(n);
    });
  return { held, enter };
}

const settled = () => Promise.resolve().then(() => Promise.resolve());

describe('the queue of a session', () => {
  it('K05 lets one turn hold the session at a time, in the order of admission', async () => {
    const queue = new TurnQueue();
    const { held, enter } = order(queue);
    void enter(1);
    void enter(2);
    void enter(3);
    await settled();
    expect(held).toEqual([1]);
    queue.leave(1);
    await settled();
    expect(held).toEqual([1, 2]);
    queue.leave(2);
    await settled();
    expect(held).toEqual([1, 2, 3]);
  });

  it('puts an urgent turn before all calm ones, and behind earlier urgent ones', async () => {
    const queue = new TurnQueue();
    const { held, enter } = order(queue);
    void enter(1);
    void enter(2);
    void enter(3, true);
    void enter(4, true);
    for (const n of [1, 3, 4]) {
      await settled();
      queue.leave(n);
    }
    await settled();
    expect(held).toEqual([1, 3, 4, 2]);
  });

  it('ignores a turn that leaves twice or never held the session', async () => {
    const queue = new TurnQueue();
    const { held, enter } = order(queue);
    void enter(1);
    void enter(2);
    await settled();
    queue.leave(2);
    queue.leave(1);
    queue.leave(1);
    await settled();
    expect(held).toEqual([1, 2]);
    expect(queue.running).toBe(2);
  });

  it('tells everything that waits when it is cleared', async () => {
    const queue = new TurnQueue();
    void queue.enter(1, false);
    const waiting = queue.enter(2, false);
    queue.clear();
    expect(await waiting).toBe(false);
    expect(queue.size).toBe(0);
  });
});
