/** `POST /v1/completions`: from JSON to a raw request. */
import { z } from 'zod';
import {
  CHARACTERS_PER_TOKEN,
  CONTEXT_SPARE,
  MAX_COMPLETION_LOGPROBS,
  MAX_LOGIT_BIASES,
  MAX_STOP_LENGTH,
  MAX_STOP_STRINGS,
  MAX_STOP_TOKENS,
  SEED_MODULUS,
  TOP_K,
} from '../constants.ts';
import type { RawCompletions, RawRequest } from '../engine/raw.ts';
import type { EngineInfo } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';
import { validate } from './validate.ts';

const token = z.int().min(0);
const stopString = z.string().min(1).max(MAX_STOP_LENGTH);
const repetition = z.number().min(0.5).max(2).nullish();

const schema = z.object({
  model: z.string().nullish(),
  prompt: z.union([z.string().min(1), z.array(token).min(1)], {
    error: 'must be one text or one list of token ids, not empty',
  }),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(0).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_k: z.int().min(1).max(1_000).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: repetition,
  repeat_penalty: repetition,
  seed: z.int().nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.int().min(0).max(MAX_COMPLETION_LOGPROBS).nullish(),
  logprob_start_len: z.int().min(0).nullish(),
  echo: z.boolean().nullish(),
  stop: z.union([stopString, z.array(stopString).max(MAX_STOP_STRINGS)]).nullish(),
  stop_token_ids: z.array(token).max(MAX_STOP_TOKENS).nullish(),
  ignore_eos: z.boolean().nullish(),
  cache_prompt: z.boolean().nullish(),
  return_token_ids: z.boolean().nullish(),
  return_tokens_as_token_ids: z.boolean().nullish(),
  n: z.literal(1, { error: 'only one choice is made' }).nullish(),
  best_of: z.literal(1, { error: 'only one choice is made' }).nullish(),
  suffix: z.literal('', { error: 'the model fills no gaps' }).nullish(),
});

/** A valid request for a raw completion. */
export interface CompletionsRequest {
  readonly raw: RawRequest;
  readonly stop: readonly string[];
  readonly echo: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Whether `token_ids` are given beside the text. */
  readonly tokenIds: boolean;
  /** Whether tokens are named `token_id:N` instead of by their text. */
  readonly idNames: boolean;
}

/**
 * Validate a body. Unknown fields are ignored.
 * @param randomSeed a seed for requests that name none
 */
export function parseCompletionsRequest(
  body: unknown,
  engine: { readonly info: EngineInfo; readonly raw: RawCompletions },
  randomSeed: () => number,
): Result<CompletionsRequest, Failure> {
  const { info, raw } = engine;
  const valid = validate(schema, body);
  if (!valid.ok) return valid;
  const input = valid.value;
  if (input.model && input.model !== info.model) {
    return failed({ kind: 'model_not_found', available: info.model });
  }
  const named = Object.keys(input.logit_bias ?? {});
  if (!named.every((id) => /^\d+$/.test(id))) return invalid('logit_bias', NO_ID);
  const bias = Object.entries(input.logit_bias ?? {}).map(([id, value]) => ({
    id: Number(id),
    value,
  }));
  if (bias.length > MAX_LOGIT_BIASES) return invalid('logit_bias', 'has too many tokens');
  const inside = (id: number) => Number.isInteger(id) && id >= 0 && id < raw.vocabularySize;
  if (!bias.every(({ id }) => inside(id))) return invalid('logit_bias', OUTSIDE);
  const limit = info.contextSize - CONTEXT_SPARE;
  // Tokenising holds the thread that every stream needs: what cannot fit is not tokenised.
  if (typeof input.prompt === 'string' && input.prompt.length > limit * CHARACTERS_PER_TOKEN) {
    const message = `The prompt has more than ${limit} tokens; at most ${limit} fit.`;
    return failed({ kind: 'context_length_exceeded', param: 'prompt', message });
  }
  const prompt = typeof input.prompt === 'string' ? raw.encode(input.prompt) : input.prompt;
  if (!prompt.every(inside)) return invalid('prompt', OUTSIDE);
  const maxTokens = input.max_tokens ?? OPENAI_MAX_TOKENS;
  if (prompt.length + maxTokens > limit) {
    const message = `The prompt has ${prompt.length} tokens and max_tokens is ${maxTokens}; together at most ${limit} fit.`;
    return failed({ kind: 'context_length_exceeded', param: 'prompt', message });
  }
  const seed = input.seed ?? randomSeed();
  const echo = input.echo ?? false;
  const stop = typeof input.stop === 'string' ? [input.stop] : (input.stop ?? []);
  return success({
    stop,
    echo,
    stream: input.stream ?? false,
    includeUsage: input.stream_options?.include_usage ?? false,
    tokenIds: input.return_token_ids ?? false,
    idNames: input.return_tokens_as_token_ids ?? false,
    raw: {
      prompt,
      maxTokens,
      stopTokens: new Set(input.stop_token_ids ?? []),
      ignoreEnd: input.ignore_eos ?? false,
      top: input.logprobs ?? null,
      echoFrom: echo ? Math.min(input.logprob_start_len ?? 0, prompt.length) : null,
      fresh: input.cache_prompt === false,
      sampling: {
        temperature: input.temperature ?? 1,
        topK: input.top_k ?? TOP_K,
        topP: input.top_p ?? 1,
        minP: input.min_p ?? 0,
        frequencyPenalty: input.frequency_penalty ?? 0,
        presencePenalty: input.presence_penalty ?? 0,
        repeatPenalty: input.repetition_penalty ?? input.repeat_penalty ?? 1,
        seed: ((seed % SEED_MODULUS) + SEED_MODULUS) % SEED_MODULUS,
        logitBias: new Map(bias.map(({ id, value }) => [id, value])),
      },
    },
  });
}

/** OpenAI's default of this route. */
const OPENAI_MAX_TOKENS = 16;
const NO_ID = 'has a key that is no token id (decimal digits)';
const OUTSIDE = 'has a token id outside the vocabulary';

function invalid(param: string, why: string): Result<never, Failure> {
  return failed({ kind: 'invalid_value', param, message: `${param} ${why}.` });
}
