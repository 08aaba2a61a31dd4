/**
 * Bodies for a remote engine. They carry the names of every server that is meant, because each
 * ignores what it does not know: `repetition_penalty` (vLLM) and `repeat_penalty` (llama.cpp),
 * `return_token_ids` and `return_tokens_as_token_ids` (vLLM), `cache_prompt` (llama.cpp),
 * `logprob_start_len` (SGLang's name; this project's own server).
 */
import { REMOTE_LOGPROBS, SEED_MODULUS, TOP_K } from '../../constants.ts';
import type { Sampling } from '../types.ts';

/** How the remote server tells which tokens it generated. */
export type TokenIds = 'token_ids' | 'logprobs';

const NAMED = { return_tokens_as_token_ids: true } as const;
const FRESH = { cache_prompt: false } as const;

/**
 * Read the distribution after `prompt`.
 * @param fresh no state of an earlier request is used, where the server knows how
 */
export function readingBody(prompt: readonly number[], fresh: boolean): object {
  // `ignore_eos`: llama.cpp's server tells no probabilities of an end token.
  return {
    ...NAMED,
    prompt,
    max_tokens: 1,
    temperature: 0,
    logprobs: REMOTE_LOGPROBS,
    ignore_eos: true,
    ...(fresh ? FRESH : {}),
  };
}

/** Read the log probabilities of given tokens, from index `from` of `prompt` on. */
export function scoringBody(prompt: readonly number[], from: number): object {
  // vLLM before 0.10 and others refuse max_tokens 0.
  return {
    ...NAMED,
    prompt,
    echo: true,
    logprobs: 1,
    max_tokens: 1,
    temperature: 0,
    logprob_start_len: from,
  };
}

/** What one streamed request for a part of a reply needs. */
export interface Continuation {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly sampling: Sampling;
  /** Tokens of the reply that are in the prompt: the seed moves on with them. */
  readonly said: number;
  /** Tokens that end the reply. */
  readonly ending: Iterable<number>;
  /** Tokens that may not be drawn. */
  readonly excluded: Iterable<number>;
  readonly fresh: boolean;
  readonly tokenIds: TokenIds;
}

/** Continue a reply. */
export function replyBody(want: Continuation): object {
  const { sampling } = want;
  return {
    ...NAMED,
    prompt: want.prompt,
    max_tokens: want.maxTokens,
    stop_token_ids: [...want.ending],
    logit_bias: Object.fromEntries([...want.excluded].map((token) => [token, -100])),
    temperature: sampling.temperature,
    top_k: TOP_K,
    top_p: sampling.topP,
    min_p: sampling.minP,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    repetition_penalty: sampling.repeatPenalty,
    repeat_penalty: sampling.repeatPenalty,
    seed: (sampling.seed + want.said) % SEED_MODULUS,
    ...(want.fresh ? FRESH : {}),
    ...(want.tokenIds === 'token_ids' ? { return_token_ids: true } : { logprobs: 1 }),
  };
}
