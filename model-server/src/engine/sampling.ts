/** From sampling parameters to llama.cpp's sampler chain. */
import {
  type LlamaModel,
  type SequenceEvaluateOptions,
  type Token,
  TokenBias,
} from 'node-llama-cpp';
import { NO_REPEAT_NGRAM, PENALTY_WINDOW, TOP_K } from '../constants.ts';
import { RepetitionGuard } from './repetition.ts';
import type { Sampling } from './types.ts';

/** Sampling of one reply: options for the engine, to be told of every token. */
export interface ReplySampling {
  readonly options: SequenceEvaluateOptions;
  push(token: Token): void;
}

/** Makes the sampling of replies for one model. */
export type Sampler = (
  sampling: Sampling,
  earlierReplies: readonly (readonly Token[])[],
) => ReplySampling;

/**
 * The chain is: masks (control and slot tokens, runs said before), penalties over this reply,
 * top-k, top-p, min-p, temperature, one draw.
 * @param vocabulary `masked` may never be drawn
 */
export function createSampler(
  model: LlamaModel,
  vocabulary: { readonly masked: readonly Token[] },
): Sampler {
  const maskOf = (more: readonly Token[]) =>
    TokenBias.for(model).set([...vocabulary.masked, ...more], 'never');
  const always = maskOf([]);
  return function sampleReply(sampling, earlierReplies) {
    const said: Token[] = [];
    const guard = new RepetitionGuard(earlierReplies, NO_REPEAT_NGRAM);
    const options: SequenceEvaluateOptions = {
      temperature: sampling.temperature,
      topK: TOP_K,
      topP: sampling.topP,
      minP: sampling.minP,
      seed: sampling.seed,
      tokenBias: () => {
        const blocked = guard.blocked();
        return blocked.length === 0 ? always : maskOf(blocked);
      },
      repeatPenalty: {
        punishTokens: () => said,
        maxPunishTokens: PENALTY_WINDOW,
        penalty: sampling.repeatPenalty,
        frequencyPenalty: sampling.frequencyPenalty,
        presencePenalty: sampling.presencePenalty,
      },
    };
    return {
      options,
      push(token) {
        said.push(token);
        guard.push(token);
      },
    };
  };
}
