/**
 * The frames of one running turn and whoever listens. The turn goes on without listeners; a
 * listener gets the frames so far and then the live ones. Frames are never dropped.
 */
import { KEEP_ALIVE_MS } from '../limits.ts';
import type { TurnEvent } from '../turn/events.ts';
import { frame, KEEP_ALIVE_FRAME } from './frames.ts';

export interface BroadcastOptions {
  readonly epoch: number;
  readonly turn: number;
  /** Called when the number of listeners falls to zero before the end, and when it rises again. */
  readonly onAudience?: (present: boolean) => void;
}

export class Broadcast {
  readonly #frames: string[] = [];
  readonly #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #encoder = new TextEncoder();
  readonly #options: BroadcastOptions;
  #closed = false;

  constructor(options: BroadcastOptions) {
    this.#options = options;
  }

  /** Number and send one event. After `close` nothing is sent any more. */
  emit(event: TurnEvent): void {
    if (this.#closed) return;
    const { epoch, turn } = this.#options;
    const text = frame(event, { epoch, turn, n: this.#frames.length });
    this.#frames.push(text);
    for (const listener of this.#listeners) listener.enqueue(this.#encoder.encode(text));
  }

  /** End every listener's stream. */
  close(): void {
    this.#closed = true;
    for (const listener of this.#listeners) listener.close();
    this.#listeners.clear();
  }

  /** A byte stream that starts with a comment at 0 s and the frames from number `from` on. */
  listen(from = 0): ReadableStream<Uint8Array> {
    let self: ReadableStreamDefaultController<Uint8Array> | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        self = controller;
        controller.enqueue(this.#encoder.encode(KEEP_ALIVE_FRAME));
        for (const text of this.#frames.slice(from)) controller.enqueue(this.#encoder.encode(text));
        if (this.#closed) {
          controller.close();
          return;
        }
        this.#listeners.add(controller);
        this.#options.onAudience?.(true);
        timer = setInterval(() => {
          if (this.#listeners.has(controller)) {
            controller.enqueue(this.#encoder.encode(KEEP_ALIVE_FRAME));
          } else {
            clearInterval(timer);
          }
        }, KEEP_ALIVE_MS);
      },
      cancel: () => {
        clearInterval(timer);
        if (self !== null) this.#listeners.delete(self);
        if (this.#listeners.size === 0 && !this.#closed) this.#options.onAudience?.(false);
      },
    });
  }
}
