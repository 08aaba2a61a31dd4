/**
 * The explicit queue of a session: one turn at a time, in the order of admission; an urgent one
 * (a disclosure) goes before all that wait. Pure bookkeeping, no I/O and no clock.
 */
export class TurnQueue {
  readonly #waiting: { n: number; urgent: boolean; start: (held: boolean) => void }[] = [];
  #running: number | null = null;

  get running(): number | null {
    return this.#running;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves to true when turn `n` is at the head and holds the session, false if it was cleared. */
  enter(n: number, urgent: boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const entry = { n, urgent, start: resolve };
    const firstCalm = this.#waiting.findIndex((other) => !other.urgent);
    if (urgent && firstCalm >= 0) this.#waiting.splice(firstCalm, 0, entry);
    else this.#waiting.push(entry);
    this.#next();
    return promise;
  }

  /** Turn `n` has ended; the next one starts. Unknown or repeated numbers change nothing. */
  leave(n: number): void {
    if (this.#running !== n) return;
    this.#running = null;
    this.#next();
  }

  /** Refuse everything that waits (the session is being erased). */
  clear(): void {
    for (const entry of this.#waiting.splice(0)) entry.start(false);
  }

  #next(): void {
    if (this.#running !== null) return;
    const entry = this.#waiting.shift();
    if (entry === undefined) return;
    this.#running = entry.n;
    entry.start(true);
  }
}
