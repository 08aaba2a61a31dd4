import { describe, expect, it } from 'vitest';
import { Queue } from '../../src/queue/queue.ts';

const never = () => new AbortController().signal;
const make = (permits: number, length: number, now = () => 0) =>
  new Queue({ permits, length, now });
const settled = async (promise: Promise<boolean>) => {
  let value: boolean | 'pending' = 'pending';
  void promise.then((result) => {
    value = result;
  });
  await Promise.resolve();
  await Promise.resolve();
  return value;
};

describe('the queue', () => {
  it('lets as many run as there are permits, the others wait in order', async () => {
    const queue = make(1, 2);
    const [a, b, c] = [queue.enter(never()), queue.enter(never()), queue.enter(never())];
    expect(await a?.ready).toBe(true);
    expect([queue.busy, queue.waiting]).toEqual([1, 2]);
    a?.release();
    expect(await b?.ready).toBe(true);
    expect(await settled(c?.ready ?? Promise.resolve(true))).toBe('pending');
    b?.release();
    expect(await c?.ready).toBe(true);
  });

  it('refuses at once when the line is full', () => {
    const queue = make(1, 1);
    queue.enter(never());
    queue.enter(never());
    expect(queue.enter(never())).toBeNull();
  });

  it('G03 a client that leaves the line frees its place and is never called', async () => {
    const queue = make(1, 1);
    const first = queue.enter(never());
    const control = new AbortController();
    const gone = queue.enter(control.signal);
    control.abort();
    expect(await gone?.ready).toBe(false);
    const next = queue.enter(never());
    expect(next).not.toBeNull();
    first?.release();
    expect(await next?.ready).toBe(true);
    gone?.release();
    expect(queue.busy).toBe(1);
  });

  it('counts a release once, however often it is called', () => {
    const queue = make(2, 0);
    const ticket = queue.enter(never());
    queue.enter(never());
    ticket?.release();
    ticket?.release();
    expect(queue.busy).toBe(1);
  });

  it('does not start what was aborted before it entered', async () => {
    const queue = make(1, 1);
    expect(await queue.enter(AbortSignal.abort())?.ready).toBe(false);
    expect([queue.busy, queue.waiting]).toEqual([0, 0]);
  });

  it('tells when to come back from how long work takes, within bounds', () => {
    let now = 0;
    const queue = make(1, 1, () => now);
    expect(queue.retryAfterSeconds()).toBe(2);
    for (let round = 0; round < 100; round++) {
      const ticket = queue.enter(never());
      now += 10_000;
      ticket?.release();
    }
    expect(queue.retryAfterSeconds()).toBe(10);
    for (let round = 0; round < 100; round++) queue.enter(never())?.release();
    expect(queue.retryAfterSeconds()).toBe(1);
  });

  it('is idle when nobody runs or waits', async () => {
    const queue = make(1, 1);
    await queue.idle();
    const a = queue.enter(never());
    const b = queue.enter(never());
    let idle = false;
    const done = queue.idle().then(() => {
      idle = true;
    });
    a?.release();
    await b?.ready;
    expect(idle).toBe(false);
    b?.release();
    await done;
    expect(idle).toBe(true);
  });
});
