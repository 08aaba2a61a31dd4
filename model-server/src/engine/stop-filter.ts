/** Stop strings: the reply ends before the first of them, wherever its pieces were cut. */

/** What a piece of text lets through. */
export interface Filtered {
  readonly text: string;
  readonly stopped: boolean;
}

/**
 * Holds back text that may be the beginning of a stop string.
 * @param stops non-empty strings; none means that everything passes at once
 */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** Text that can no longer belong to a stop string; `stopped` when one was completed. */
  push(piece: string): Filtered {
    const text = this.#held + piece;
    const hits = this.#stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
    if (hits.length > 0) {
      this.#held = '';
      return { text: text.slice(0, Math.min(...hits)), stopped: true };
    }
    const keep = Math.max(0, ...this.#stops.map((stop) => overlap(text, stop)));
    this.#held = text.slice(text.length - keep);
    return { text: text.slice(0, text.length - keep), stopped: false };
  }

  /** What was held back when the reply ended without a stop string. */
  end(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }
}

/** Length of the longest end of `text` that begins `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
