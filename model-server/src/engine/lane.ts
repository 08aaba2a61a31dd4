/** One sequence of the context: aligned to a prompt, read at slots, continued by sampling. */
import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import { PREFILL_TOKENS } from '../constants.ts';

/** A next-token distribution: over the vocabulary, or over its likeliest tokens. */
export type Distribution = ReadonlyMap<Token, number>;

/** A sequence in use. Not for two callers at once. */
export class Lane {
  readonly #sequence: LlamaContextSequence;
  /** Grows with every use; the smallest is the longest idle. */
  lastUse = 0;

  constructor(sequence: LlamaContextSequence) {
    this.#sequence = sequence;
  }

  /** Tokens in the context. */
  get length(): number {
    return this.#sequence.nextTokenIndex;
  }

  /** Tokens of `prompt` whose state is already here. */
  commonPrefix(prompt: readonly Token[]): number {
    const held = this.#sequence.contextTokens;
    const end = Math.min(held.length, prompt.length);
    let index = 0;
    while (index < end && held[index] === prompt[index]) index++;
    return index;
  }

  /**
   * Keep what is shared with `prompt`, forget the rest.
   * @param keep tokens that may be kept at most
   * @returns tokens kept
   */
  async align(prompt: readonly Token[], keep: number): Promise<number> {
    const kept = Math.min(this.commonPrefix(prompt), keep);
    await this.truncate(kept);
    return kept;
  }

  /** Forget everything behind the first `length` tokens. */
  async truncate(length: number): Promise<void> {
    if (length === 0) await this.#sequence.clearHistory();
    else if (length < this.length) {
      await this.#sequence.eraseContextTokenRanges([{ start: length, end: this.length }]);
    }
  }

  /** Evaluate prompt tokens piece by piece; throws the signal's reason between pieces. */
  async prefill(tokens: readonly Token[], signal: AbortSignal): Promise<void> {
    for (let start = 0; start < tokens.length; start += PREFILL_TOKENS) {
      signal.throwIfAborted();
      await this.#sequence.evaluateWithoutGeneratingNewTokens(
        tokens.slice(start, start + PREFILL_TOKENS),
      );
    }
    signal.throwIfAborted();
  }

  /**
   * Evaluate tokens and read the next-token distribution after some of them.
   * @param at indices into `tokens`
   * @param candidates how many of the likeliest tokens are read; the probabilities are relative to
   *   these. `all` is exact and dear.
   * @returns one distribution per index, in the order of `at`, by falling probability
   * @throws Error when the engine gave none
   */
  async read(
    tokens: readonly Token[],
    at: readonly number[],
    candidates: number | 'all',
  ): Promise<readonly Distribution[]> {
    const asked = new Set(at);
    // Temperature 1 leaves the logits as they are and, unlike greedy sampling, applies top-k.
    const options =
      candidates === 'all' ? {} : { options: { temperature: 1, topP: 1, topK: candidates } };
    const outputs = await this.#sequence.controlledEvaluate(
      tokens.map((token, index) =>
        asked.has(index) ? [token, { generateNext: { probabilities: true, ...options } }] : token,
      ),
    );
    return at.map((index) => {
      const distribution = outputs[index]?.next.probabilities;
      if (distribution === undefined) throw new Error('the engine returned no distribution');
      return distribution;
    });
  }

  /** Continue after `tokens`; end tokens are yielded too, and evaluated only when asked for more. */
  sample(
    tokens: readonly Token[],
    options: SequenceEvaluateOptions,
  ): ReturnType<LlamaContextSequence['evaluate']> {
    return this.#sequence.evaluate([...tokens], {
      ...options,
      yieldEogToken: true,
    });
  }

  /** Forget everything after a failure, whose half-done state nobody knows. */
  async reset(): Promise<void> {
    await this.#sequence.clearHistory();
  }
}
