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

  it('G01 chats are called before batches that have waited longer', async () => {
    const queue = make(2, 8);
    const running = [queue.enter(never()), queue.enter(never())];
    const batch = queue.enter(never(), 'batch');
    const chat = queue.enter(never());
    running[0]?.release();
    expect(await chat?.ready).toBe(true);
    expect(await settled(batch?.ready ?? Promise.resolve(true))).toBe('pending');
    running[1]?.release();
    expect(await batch?.ready).toBe(true);
  });

  it('G01 batches never have more than half of the permits, so a chat need not wait for one', async () => {
    const queue = make(4, 8);
    const batches = Array.from({ length: 4 }, () => queue.enter(never(), 'batch'));
    expect([queue.busy, queue.waiting]).toEqual([2, 2]);
    expect(await queue.enter(never())?.ready).toBe(true);
    batches[0]?.release();
    expect(await batches[2]?.ready).toBe(true);
    expect(await settled(batches[3]?.ready ?? Promise.resolve(true))).toBe('pending');
  });

  it('a batch is served although chats never cease', async () => {
    const queue = make(2, 8);
    const running = [queue.enter(never()), queue.enter(never())];
    const batch = queue.enter(never(), 'batch');
    let batchRuns = false;
    void batch?.ready.then((go) => {
      batchRuns = go;
    });
    let chats = 0;
    while (!batchRuns && chats < 100) {
      running.push(queue.enter(never()));
      running.shift()?.release();
      await settled(Promise.resolve(true));
      chats++;
    }
    expect(batchRuns).toBe(true);
    expect(chats).toBe(3);
  });

  it('G03 batches fill half of the line at most; chats may use all of it', () => {
    const queue = make(1, 4);
    queue.enter(never());
    const batches = Array.from({ length: 3 }, () => queue.enter(never(), 'batch'));
    expect(batches.map((ticket) => ticket === null)).toEqual([false, false, true]);
    const chats = Array.from({ length: 3 }, () => queue.enter(never()));
    expect(chats.map((ticket) => ticket === null)).toEqual([false, false, true]);
  });

  it('serves batches with a single permit, too', async () => {
    const queue = make(1, 1);
    expect(await queue.enter(never(), 'batch')?.ready).toBe(true);
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
