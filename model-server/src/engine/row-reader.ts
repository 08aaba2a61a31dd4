/** Exact log probabilities of given tokens, without handing over the whole distribution. */
import { LOG_ZERO } from '../constants.ts';
import type { Native, NativeContext, NativeSampler, SamplerConfig } from './native.ts';

/**
 * Added to the logits of the wanted tokens, so that they come out on top whatever they are: the
 * reach of LOG_ZERO. A logit of this size is rounded to 2^-17, 8 millionths of a nat.
 */
const LIFT = 100;

/** Token id -> natural logarithm of its probability as the next one. */
export type LogProbabilities = ReadonlyMap<number, number>;

/** Whose probabilities are wanted. */
export interface Query {
  readonly wanted: readonly number[];
  /** How many of the likeliest tokens the probabilities are relative to. */
  readonly candidates: number;
  /** How many of the likeliest tokens are told, too. Default none. */
  readonly likeliest?: number;
}

/**
 * Reads rows in two steps, since the binding gives away either one probability or a sorted list:
 * first the probability of any one token (the anchor) among many candidates, without a list; then
 * the few wanted tokens and the anchor, lifted above all others, whose probabilities among
 * themselves say how far each is from the anchor. Handing over 16,384 candidates instead takes three
 * times as long. Not for two callers at once.
 */
export class RowReader {
  readonly #context: NativeContext;
  readonly #any: NativeSampler;
  readonly #few: NativeSampler;

  constructor(native: Native) {
    this.#context = native.context;
    this.#any = native.createSampler();
    this.#few = native.createSampler();
  }

  /** @returns token id -> natural logarithm, LOG_ZERO at least: the wanted ones and the likeliest */
  async logProbabilities(row: number, query: Query): Promise<LogProbabilities> {
    const { wanted, candidates, likeliest = 0 } = query;
    // The seed is set twice, since only another one starts the random numbers again: the same
    // distribution must give the same anchor, down to the last bit of the result.
    this.#any.applyConfig({ temperature: 1, topK: candidates, seed: 1 });
    this.#any.applyConfig({ temperature: 1, topK: candidates, seed: 0 });
    const [anchor, , probability] = await this.#context.sampleToken(row, this.#any, false, true);
    if (probability === undefined || !(probability > 0)) throw new Error('a row without a token');
    const top =
      likeliest > 0 ? await this.#list(row, { topK: likeliest }) : new Map<number, number>();
    const [first] = top.keys();
    const lifted = [...new Set([anchor, ...wanted, ...(first === undefined ? [] : [first])])];
    const shares = await this.#list(row, {
      topK: lifted.length,
      tokenBiasKeys: Uint32Array.from(lifted),
      tokenBiasValues: new Float32Array(lifted.length).fill(LIFT),
    });
    const logs = new Map<number, number>();
    const put = (token: number, log: number) =>
      logs.set(token, Math.max(LOG_ZERO, Math.min(0, log)));
    const anchored = Math.log(probability) - logOf(shares, anchor);
    if (first !== undefined) {
      const firstLog = anchored + logOf(shares, first) - logOf(top, first);
      for (const token of top.keys()) put(token, firstLog + logOf(top, token));
    }
    for (const token of wanted) put(token, anchored + logOf(shares, token));
    return logs;
  }

  /** Candidates by falling probability, which is relative to them alone. */
  async #list(row: number, config: Partial<SamplerConfig>): Promise<ReadonlyMap<number, number>> {
    this.#few.applyConfig({ temperature: 1, seed: 0, ...config });
    const [, list = []] = await this.#context.sampleToken(row, this.#few, true, false);
    const shares = new Map<number, number>();
    for (let index = 0; index + 1 < list.length; index += 2) {
      const [token, share] = list.slice(index, index + 2);
      if (token !== undefined && share !== undefined) shares.set(token, share);
    }
    return shares;
  }

  dispose(): void {
    this.#any.dispose();
    this.#few.dispose();
  }
}

/** Minus infinity for a token that is not there. */
function logOf(shares: ReadonlyMap<number, number>, token: number): number {
  return Math.log(shares.get(token) ?? 0);
}
