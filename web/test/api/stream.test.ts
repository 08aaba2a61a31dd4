import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PageEvent } from '../../src/api/events.ts';
import { readTurn } from '../../src/api/stream.ts';

const REPLY = 'Oh no 🌌 that’s… schön! 👩‍👩‍👧 مرحبا';

function frame(event: string, data: unknown): string {
  return `id: 1.1.0\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const WHOLE = [
  ': keep-alive\n\n',
  frame('turn', { turn_id: 't1', session_id: 's1' }),
  frame('delta', { text: REPLY }),
  ': keep-alive\n\n',
  frame('done', { finish_reason: 'stop' }),
].join('');

/** A body in chunks of a fixed number of bytes, whatever they cut. */
function body(text: string, chunkBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkBytes));
      at += chunkBytes;
    },
  });
}

async function read(source: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const events: PageEvent[] = [];
  const ended = await readTurn(source, {
    silenceMs: 60_000,
    onEvent: (event) => events.push(event),
  });
  return { ended, events };
}

describe('a turn read from a stream', () => {
  test.each([1, 2, 3, 5, 7, 64, 4096])(
    'S13 S16 is the same when the network cuts it every %i bytes',
    async (chunkBytes) => {
      const { ended, events } = await read(body(WHOLE, chunkBytes));
      expect(ended).toBe(true);
      expect(events).toEqual([
        { event: 'turn', turnId: 't1' },
        { event: 'delta', text: REPLY },
        { event: 'done', finish: 'stop' },
      ]);
    },
  );

  test('S06 S12 is reported as cut when it ends without a terminal event', async () => {
    const { ended, events } = await read(body(frame('delta', { text: 'I am' }), 9));
    expect(ended).toBe(false);
    expect(events).toEqual([{ event: 'delta', text: 'I am' }]);
  });

  test('is reported as cut when the connection breaks', async () => {
    const bytes = new TextEncoder().encode(frame('delta', { text: 'I am' }));
    let sent = false;
    const { ended, events } = await read(
      new ReadableStream({
        pull(controller) {
          if (sent) return controller.error(new TypeError('network error'));
          sent = true;
          controller.enqueue(bytes);
        },
      }),
    );
    expect(ended).toBe(false);
    expect(events).toHaveLength(1);
  });

  test('ends at an error event and reads nothing after it', async () => {
    const error = frame('error', { code: 'internal', message: 'no', retry_after: 3 });
    const { ended, events } = await read(body(error + frame('delta', { text: 'late' }), 4096));
    expect(ended).toBe(true);
    expect(events).toEqual([{ event: 'error', code: 'internal', message: 'no', retryAfter: 3 }]);
  });

  test('lets go of the body after the terminal event', async () => {
    const cancelled = vi.fn();
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(frame('done', { finish_reason: 'stop' }))),
      cancel: cancelled,
    });
    expect((await read(source)).ended).toBe(true);
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });
});

describe('a stream that falls silent', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is reported as cut, and every chunk starts the wait anew', async () => {
    vi.useFakeTimers();
    let push: (text: string) => void = () => undefined;
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    const result = readTurn(source, { silenceMs: 1000, onEvent: () => undefined });
    let settled = false;
    void result.then(() => {
      settled = true;
    });
    for (let i = 0; i < 3; i++) {
      push(': keep-alive\n\n');
      await vi.advanceTimersByTimeAsync(900);
      expect(settled).toBe(false);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toBe(false);
  });
});
