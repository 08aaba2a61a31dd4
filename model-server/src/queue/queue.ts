/** Who may use the engine: a fixed number of permits, a bounded line of those who wait. */
import { MAX_RETRY_SECONDS, MIN_RETRY_SECONDS } from '../constants.ts';

/** A place in the line. */
export interface Ticket {
  /** True when it is your turn; false when the signal was aborted first. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Give the permit (or the place) back; more than once does no harm. */
  release(): void;
}

/** Limits, and where the time comes from. */
export interface QueueOptions {
  /** Permits. */
  readonly permits: number;
  /** Tickets that may wait. */
  readonly length: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Assumed before anything was measured. */
const FIRST_GUESS_MS = 2_000;
/** Weight of the newest duration in the running mean. */
const NEWEST = 0.2;

/** First come, first served. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting = new Set<() => void>();
  readonly #idle: (() => void)[] = [];
  #busy = 0;
  #meanMs = FIRST_GUESS_MS;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Permits in use. */
  get busy(): number {
    return this.#busy;
  }

  /** Tickets that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** When a full queue is worth trying again: its expected draining time, in whole seconds. */
  retryAfterSeconds(): number {
    const turns = (this.#waiting.size + 1) / this.#options.permits;
    const seconds = Math.ceil((turns * this.#meanMs) / 1_000);
    return Math.min(MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, seconds));
  }

  /**
   * Take a ticket at once, or null when the line is full.
   * @param signal leaves the line when aborted
   */
  enter(signal: AbortSignal): Ticket | null {
    const free = this.#busy < this.#options.permits;
    if (!free && this.#waiting.size >= this.#options.length) return null;
    let answer: (go: boolean) => void = () => {};
    const ready = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    let startedAt = 0;
    const begin = () => {
      state = 'running';
      this.#busy++;
      startedAt = this.#options.now();
      answer(true);
    };
    const leave = () => {
      if (state !== 'waiting') return;
      state = 'over';
      this.#waiting.delete(begin);
      answer(false);
      this.#announceIdle();
    };
    if (signal.aborted) leave();
    else if (free) begin();
    else {
      this.#waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    }
    const release = () => {
      signal.removeEventListener('abort', leave);
      if (state === 'waiting') leave();
      if (state !== 'running') return;
      state = 'over';
      this.#busy--;
      this.#meanMs += NEWEST * (this.#options.now() - startedAt - this.#meanMs);
      this.#callNext();
      this.#announceIdle();
    };
    return { ready, release };
  }

  /** Resolves when nobody runs or waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#announceIdle();
    });
  }

  #callNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next();
  }

  #announceIdle(): void {
    if (this.#busy > 0 || this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
