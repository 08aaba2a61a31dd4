/** Server-sent events (WHATWG HTML, section 9.2): data frames and comments. */

/** Headers of an event stream; proxies must not buffer it (case S03). */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Writes frames; writing after the client left does nothing. */
export interface SseWriter {
  /** One `data:` frame with a JSON value. */
  data(value: unknown): void;
  /** The marker that ends a successful stream (case O04). */
  done(): void;
}

/** How a stream is run. */
export interface SseOptions {
  /** Milliseconds between comment frames. */
  readonly keepAliveMs: number;
  /** Writes the stream; it must not throw. The stream closes when it resolves. */
  readonly write: (out: SseWriter) => Promise<void>;
  /** The client left. */
  readonly onCancel: () => void;
}

/**
 * A stream that begins with a comment at once, so that headers and a first byte leave before the
 * first token, and that carries comments while nothing else is said (cases S02, S03, S05).
 *
 * It is pushed, not pulled: a slow reader must not hold a sequence. What piles up is bounded by the
 * length of one reply.
 */
export function eventStream(options: SseOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (frame: string) => {
        if (open) controller.enqueue(encoder.encode(frame));
      };
      send(': queued\n\n');
      const keepAlive = setInterval(() => send(': keep-alive\n\n'), options.keepAliveMs);
      const out: SseWriter = {
        data: (value) => send(`data: ${JSON.stringify(value)}\n\n`),
        done: () => send('data: [DONE]\n\n'),
      };
      void options.write(out).finally(() => {
        clearInterval(keepAlive);
        if (open) controller.close();
        open = false;
      });
    },
    cancel() {
      open = false;
      options.onCancel();
    },
  });
}
