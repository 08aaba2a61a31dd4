/** Who may use the engine: a fixed number of permits, a bounded line of those who wait. */
import { MAX_RETRY_SECONDS, MIN_RETRY_SECONDS } from '../constants.ts';

/** Someone waits for the first words of a `chat`; a `batch` (scores, ranking) takes longer and may. */
export type JobKind = 'chat' | 'batch';

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

/** Running and waiting tickets of one kind. */
interface Line {
  busy: number;
  /** Begin functions, first come first. */
  readonly waiting: Set<() => void>;
}

/**
 * First come, first served within a kind, and chats before batches. Batches have at most half of
 * the permits and half of the line (one of each at least), so chats find room; after as many chats
 * as there are permits were called past a waiting batch, it is the batch's turn, so it is served, too.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #lines: Readonly<Record<JobKind, Line>> = {
    chat: { busy: 0, waiting: new Set() },
    batch: { busy: 0, waiting: new Set() },
  };
  readonly #idle: (() => void)[] = [];
  /** Chats called since the oldest waiting batch could have been. */
  #passed = 0;
  #meanMs = FIRST_GUESS_MS;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Permits in use. */
  get busy(): number {
    return this.#lines.chat.busy + this.#lines.batch.busy;
  }

  /** Tickets that wait. */
  get waiting(): number {
    return this.#lines.chat.waiting.size + this.#lines.batch.waiting.size;
  }

  /** When a full queue is worth trying again: its expected draining time, in whole seconds. */
  retryAfterSeconds(): number {
    const turns = (this.waiting + 1) / this.#options.permits;
    const seconds = Math.ceil((turns * this.#meanMs) / 1_000);
    return Math.min(MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, seconds));
  }

  /**
   * Take a ticket at once, or null when the line is full.
   * @param signal leaves the line when aborted
   * @param kind whose line
   */
  enter(signal: AbortSignal, kind: JobKind = 'chat'): Ticket | null {
    const line = this.#lines[kind];
    const free = this.#mayBegin(kind);
    if (!free && this.#isFull(kind)) return null;
    let answer: (go: boolean) => void = () => {};
    const ready = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    let startedAt = 0;
    const begin = () => {
      state = 'running';
      line.busy++;
      startedAt = this.#options.now();
      answer(true);
    };
    const leave = () => {
      if (state !== 'waiting') return;
      state = 'over';
      line.waiting.delete(begin);
      answer(false);
      this.#announceIdle();
    };
    if (signal.aborted) leave();
    else if (free) begin();
    else {
      line.waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    }
    const release = () => {
      signal.removeEventListener('abort', leave);
      if (state === 'waiting') leave();
      if (state !== 'running') return;
      state = 'over';
      line.busy--;
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

  #mayBegin(kind: JobKind): boolean {
    const { permits } = this.#options;
    if (this.busy >= permits) return false;
    return kind === 'chat' || this.#lines.batch.busy < atLeastOne(permits / 2);
  }

  #isFull(kind: JobKind): boolean {
    const { length } = this.#options;
    if (this.waiting >= length) return true;
    return kind === 'batch' && this.#lines.batch.waiting.size >= atLeastOne(length / 2);
  }

  #callNext(): void {
    const [chat] = this.#lines.chat.waiting;
    const [batch] = this.#mayBegin('batch') ? this.#lines.batch.waiting : [];
    const itsTurn = chat === undefined || this.#passed >= this.#options.permits;
    if (batch !== undefined && itsTurn) {
      this.#passed = 0;
      this.#lines.batch.waiting.delete(batch);
      batch();
    } else if (chat !== undefined) {
      this.#passed = batch === undefined ? 0 : this.#passed + 1;
      this.#lines.chat.waiting.delete(chat);
      chat();
    }
  }

  #announceIdle(): void {
    if (this.busy > 0 || this.waiting > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function atLeastOne(value: number): number {
  return Math.max(1, Math.floor(value));
}
