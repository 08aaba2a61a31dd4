/**
 * No sentence twice: a run of n tokens of an earlier reply, or of this one, is not completed again
 * (n-gram blocking as in Paulus et al. 2017, arXiv 1705.04304, over whole conversations). An
 * earlier reply shorter than n is not said again as a whole: "What happened?" three times in a row
 * is what a small model likes best.
 */

/** @typeParam T token id */
export class RepetitionGuard<T extends number> {
  readonly #length: number;
  readonly #next = new Map<string, T[]>();
  readonly #said: T[] = [];
  /** Whole replies shorter than n: their beginning → their last token. */
  readonly #short = new Map<string, T[]>();

  /**
   * @param earlier token ids of the earlier replies of the conversation
   * @param length n, at least 2
   */
  constructor(earlier: readonly (readonly T[])[], length: number) {
    this.#length = length;
    for (const reply of earlier) {
      for (let end = length; end <= reply.length; end++) this.#learn(reply, end);
      const last = reply.at(-1);
      if (last !== undefined && reply.length < length) {
        add(this.#short, reply.slice(0, -1).join(' '), last);
      }
    }
  }

  /** Tell the guard what was just said. */
  push(token: T): void {
    this.#said.push(token);
    if (this.#said.length >= this.#length) this.#learn(this.#said, this.#said.length);
  }

  /** Tokens that would complete a known run now. */
  blocked(): readonly T[] {
    if (this.#said.length < this.#length - 1) return this.#short.get(this.#said.join(' ')) ?? [];
    return this.#next.get(this.#said.slice(1 - this.#length).join(' ')) ?? [];
  }

  #learn(tokens: readonly T[], end: number): void {
    const last = tokens[end - 1];
    if (last === undefined) return;
    add(this.#next, tokens.slice(end - this.#length, end - 1).join(' '), last);
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
