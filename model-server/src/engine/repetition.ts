/**
 * No sentence twice: a run of n tokens of an earlier reply, or of this one, is not completed again
 * (n-gram blocking as in Paulus et al. 2017, arXiv 1705.04304, over whole conversations).
 */

/** @typeParam T token id */
export class RepetitionGuard<T extends number> {
  readonly #length: number;
  readonly #next = new Map<string, T[]>();
  readonly #said: T[] = [];

  /**
   * @param earlier token ids of the earlier replies of the conversation
   * @param length n, at least 2
   */
  constructor(earlier: readonly (readonly T[])[], length: number) {
    this.#length = length;
    for (const reply of earlier) {
      for (let end = length; end <= reply.length; end++) this.#learn(reply, end);
    }
  }

  /** Tell the guard what was just said. */
  push(token: T): void {
    this.#said.push(token);
    if (this.#said.length >= this.#length) this.#learn(this.#said, this.#said.length);
  }

  /** Tokens that would complete a known run now. */
  blocked(): readonly T[] {
    if (this.#said.length < this.#length - 1) return [];
    return this.#next.get(this.#said.slice(1 - this.#length).join(' ')) ?? [];
  }

  #learn(tokens: readonly T[], end: number): void {
    const last = tokens[end - 1];
    if (last === undefined) return;
    const key = tokens.slice(end - this.#length, end - 1).join(' ');
    const known = this.#next.get(key);
    if (known === undefined) this.#next.set(key, [last]);
    else known.push(last);
  }
}
