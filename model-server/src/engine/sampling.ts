/** From sampling parameters to llama.cpp's sampler chain. */
import type { Token } from 'node-llama-cpp';
import { NO_REPEAT_NGRAM, TOP_K } from '../constants.ts';
import type { SamplerConfig } from './native.ts';
import { RepetitionGuard } from './repetition.ts';
import { seededConfigs } from './seeded-draw.ts';
import type { Sampling } from './types.ts';

/** Sampling of one reply, to be told of every token. */
export interface ReplySampling {
  /** What to set before the next draw, in this order. */
  configs(): readonly SamplerConfig[];
  /** The token with an id, or undefined for none. */
  tokenOf(id: number): Token | undefined;
  push(token: Token): void;
}

/** Makes the sampling of replies for one model. */
export interface Sampler {
  /** A whole reply. */
  reply(sampling: Sampling, earlierReplies: readonly (readonly Token[])[]): ReplySampling;
  /** The most probable token of text. */
  bestText(): ReplySampling;
}

/**
 * The chain is: masks (control and slot tokens, runs said before), penalties over this reply,
 * top-k, top-p, min-p, temperature, one draw.
 * @param vocabulary `masked` may never be drawn, `ending` ends a reply
 * @param tokens token by id
 */
export function createSampler(
  vocabulary: { readonly masked: readonly Token[]; readonly ending: ReadonlySet<Token> },
  tokens: readonly Token[],
): Sampler {
  const tokenOf = (id: number) => tokens[id];
  const maskOf = (more: readonly Token[]) => {
    const keys = Uint32Array.from([...vocabulary.masked, ...more]);
    const never = new Float32Array(keys.length).fill(Number.NEGATIVE_INFINITY);
    return { tokenBiasKeys: keys, tokenBiasValues: never };
  };
  const always = maskOf([]);
  const text = maskOf([...vocabulary.ending]);
  return {
    reply(sampling, earlierReplies) {
      const said: Token[] = [];
      const guard = new RepetitionGuard(earlierReplies, NO_REPEAT_NGRAM);
      return {
        configs: seededConfigs(sampling, said, () => {
          const blocked = guard.blocked();
          return { ...(blocked.length === 0 ? always : maskOf(blocked)), topK: TOP_K };
        }),
        tokenOf,
        push(token) {
          said.push(token);
          guard.push(token);
        },
      };
    },
    bestText: () => ({
      configs: () => [{ ...text, temperature: 0, seed: 0 }],
      tokenOf,
      push: () => {},
    }),
  };
}
