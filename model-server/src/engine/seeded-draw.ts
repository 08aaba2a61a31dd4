/** What a reply and a raw completion share of their sampling: the tokens said, penalties, the seed. */
import { PENALTY_WINDOW, SEED_MODULUS } from '../constants.ts';
import type { SamplerConfig } from './native.ts';
import type { Sampling } from './types.ts';

/**
 * Settings of the next draw, in the order in which they are applied. A native sampler has drawn for
 * others before, and only another seed than the last one starts its random numbers again.
 * @param sampling penalties are over `said`
 * @param said ids of the tokens of this text so far; grows from outside
 * @param own what differs: biases, top-k
 */
export function seededConfigs(
  sampling: Sampling,
  said: readonly number[],
  own: () => Pick<SamplerConfig, 'topK' | 'tokenBiasKeys' | 'tokenBiasValues'>,
): () => readonly SamplerConfig[] {
  const config = (seed: number): SamplerConfig => ({
    ...own(),
    temperature: sampling.temperature,
    topP: sampling.topP,
    minP: sampling.minP,
    seed,
    repeatPenalty: sampling.repeatPenalty,
    repeatPenaltyMaxTokens: PENALTY_WINDOW,
    repeatPenaltyTokens: Uint32Array.from(said),
    repeatPenaltyPresencePenalty: sampling.presencePenalty,
    repeatPenaltyFrequencyPenalty: sampling.frequencyPenalty,
  });
  let begun = false;
  return () => {
    const restart = begun ? [] : [config((sampling.seed + 1) % SEED_MODULUS)];
    begun = true;
    return [...restart, config(sampling.seed)];
  };
}
