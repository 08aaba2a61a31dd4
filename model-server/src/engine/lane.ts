/** One sequence of the context: aligned to a prompt, read at slots, continued by sampling. */
import type { Token } from 'node-llama-cpp';
import { PREFILL_TOKENS } from '../constants.ts';
import type { Batcher } from './batcher.ts';
import type { Native, NativeSampler } from './native.ts';
import type { LogProbabilities, Query, RowReader } from './row-reader.ts';
import type { ReplySampling } from './sampling.ts';

export type { LogProbabilities } from './row-reader.ts';

/** What all sequences of a context share. */
export interface Shared {
  readonly native: Native;
  readonly batcher: Batcher;
  readonly reader: RowReader;
  /** Tokens per sequence. */
  readonly contextSize: number;
}

/** A question at a place in evaluated tokens. */
export interface Ask extends Query {
  /** Index into the evaluated tokens. */
  readonly at: number;
}

/** A sequence in use. Not for two callers at once. */
export class Lane {
  readonly #shared: Shared;
  readonly #sequence: number;
  readonly #sampler: NativeSampler;
  /** What is (or, behind a forgotten part, will be) in the sequence. */
  readonly #tokens: Token[] = [];
  #alone = false;
  /** Grows with every use; the smallest is the longest idle. */
  lastUse = 0;
  /** Tokens that the next prompt of the same conversation begins with; 0 when nothing is held. */
  anchor = 0;

  constructor(shared: Shared, sequence: number) {
    this.#shared = shared;
    this.#sequence = sequence;
    this.#sampler = shared.native.createSampler();
  }

  /** Tokens in the context. */
  get length(): number {
    return this.#tokens.length;
  }

  /** Tokens of `prompt` whose state is already here. */
  commonPrefix(prompt: readonly Token[]): number {
    const end = Math.min(this.#tokens.length, prompt.length);
    let index = 0;
    while (index < end && this.#tokens[index] === prompt[index]) index++;
    return index;
  }

  /**
   * Keep what is shared with `prompt`, forget the rest.
   * @param keep tokens that may be kept at most
   * @param alone whether this use of the sequence shares no batch with others
   * @returns tokens kept
   */
  align(prompt: readonly Token[], keep: number, alone: boolean): number {
    const kept = Math.min(this.commonPrefix(prompt), keep);
    this.truncate(kept);
    this.#alone = alone;
    return kept;
  }

  /** Forget everything behind the first `length` tokens; the cells are freed by the next evaluation. */
  truncate(length: number): void {
    if (length < this.#tokens.length) this.#tokens.length = length;
    this.anchor = Math.min(this.anchor, length);
  }

  /** Evaluate prompt tokens piece by piece; throws the signal's reason between pieces. */
  async prefill(tokens: readonly Token[], signal: AbortSignal): Promise<void> {
    for (let start = 0; start < tokens.length; start += PREFILL_TOKENS) {
      signal.throwIfAborted();
      await this.#evaluate(tokens.slice(start, start + PREFILL_TOKENS), new Map(), false);
    }
    signal.throwIfAborted();
  }

  /**
   * Evaluate tokens and read some probabilities of the next token on the way.
   * @param asks at most one a place
   * @returns the answers, in the order of `asks`
   */
  async read(tokens: readonly Token[], asks: readonly Ask[]): Promise<readonly LogProbabilities[]> {
    const found: LogProbabilities[] = asks.map(() => new Map());
    const reads = asks.map((ask, index) => {
      const read = async (row: number) => {
        found[index] = await this.#shared.reader.logProbabilities(row, ask);
      };
      return [ask.at, read] as const;
    });
    await this.#evaluate(tokens, new Map(reads), false);
    return found;
  }

  /**
   * Evaluate tokens and draw the next one; it is not evaluated.
   * @throws Error when the masks leave nothing to draw
   */
  async draw(tokens: readonly Token[], sampling: ReplySampling): Promise<Token> {
    let drawn = -1;
    const read = async (row: number) => {
      for (const config of sampling.configs()) this.#sampler.applyConfig(config);
      drawn = await this.#shared.native.context.sampleToken(row, this.#sampler);
    };
    await this.#evaluate(tokens, new Map([[tokens.length - 1, read]]), true);
    const token = sampling.tokenOf(drawn);
    if (token === undefined) throw new Error('no token can be drawn');
    return token;
  }

  dispose(): void {
    this.#sampler.dispose();
  }

  async #evaluate(
    tokens: readonly Token[],
    reads: ReadonlyMap<number, (row: number) => Promise<void>>,
    reply: boolean,
  ): Promise<void> {
    if (tokens.length === 0) return;
    const position = this.#tokens.length;
    if (position + tokens.length > this.#shared.contextSize) {
      throw new RangeError('the sequence is full');
    }
    const { batcher } = this.#shared;
    await batcher.run({
      sequence: this.#sequence,
      position,
      tokens,
      reads,
      reply,
      alone: this.#alone,
    });
    this.#tokens.push(...tokens);
  }
}
