/** From the sampling parameters of a raw completion to llama.cpp's sampler chain. */
import type { Token } from 'node-llama-cpp';
import type { RawSampling } from './raw.ts';
import type { ReplySampling } from './sampling.ts';
import { seededConfigs } from './seeded-draw.ts';

/** OpenAI's lowest bias: the token is excluded. */
const EXCLUDED = -100;

/**
 * Biases, penalties over the generated tokens, top-k, top-p, min-p, temperature, one draw.
 * @param tokens token by id
 */
export function rawSampling(sampling: RawSampling, tokens: readonly Token[]): ReplySampling {
  const said: number[] = [];
  const biases = [...sampling.logitBias];
  return {
    configs: seededConfigs(sampling, said, () => ({
      topK: sampling.topK,
      tokenBiasKeys: Uint32Array.from(biases, ([token]) => token),
      tokenBiasValues: Float32Array.from(biases, ([, bias]) =>
        bias <= EXCLUDED ? Number.NEGATIVE_INFINITY : bias,
      ),
    })),
    tokenOf: (id) => tokens[id],
    push: (token) => {
      said.push(token);
    },
  };
}
