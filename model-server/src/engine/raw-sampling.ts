/** From the sampling parameters of a raw completion to llama.cpp's sampler chain. */
import type { Token } from 'node-llama-cpp';
import { PENALTY_WINDOW, SEED_MODULUS } from '../constants.ts';
import type { SamplerConfig } from './native.ts';
import type { RawSampling } from './raw.ts';
import type { ReplySampling } from './sampling.ts';

/** OpenAI's lowest bias: the token is excluded. */
const EXCLUDED = -100;

/**
 * Biases, penalties over the generated tokens, top-k, top-p, min-p, temperature, one draw.
 * @param tokens token by id
 */
export function rawSampling(sampling: RawSampling, tokens: readonly Token[]): ReplySampling {
  const said: number[] = [];
  const biases = [...sampling.logitBias];
  const config = (seed: number): SamplerConfig => ({
    temperature: sampling.temperature,
    topK: sampling.topK,
    topP: sampling.topP,
    minP: sampling.minP,
    seed,
    tokenBiasKeys: Uint32Array.from(biases, ([token]) => token),
    tokenBiasValues: Float32Array.from(biases, ([, bias]) =>
      bias <= EXCLUDED ? Number.NEGATIVE_INFINITY : bias,
    ),
    repeatPenalty: sampling.repeatPenalty,
    repeatPenaltyMaxTokens: PENALTY_WINDOW,
    repeatPenaltyTokens: Uint32Array.from(said),
    repeatPenaltyPresencePenalty: sampling.presencePenalty,
    repeatPenaltyFrequencyPenalty: sampling.frequencyPenalty,
  });
  let begun = false;
  return {
    // The sampler has drawn for others: only another seed starts its numbers again.
    configs() {
      const restart = begun ? [] : [config((sampling.seed + 1) % SEED_MODULUS)];
      begun = true;
      return [...restart, config(sampling.seed)];
    },
    tokenOf: (id) => tokens[id],
    push: (token) => {
      said.push(token);
    },
  };
}
