/** `POST /v1/chat/completions`: from JSON to a conversation and a generation request. */
import { z } from 'zod';
import {
  DEFAULT_MAX_TOKENS,
  DEFAULT_MIN_P,
  DEFAULT_REPEAT_PENALTY,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOP_P,
  MAX_STOP_LENGTH,
  MAX_STOP_STRINGS,
  SEED_MODULUS,
} from '../constants.ts';
import { INTENTS, STEERING } from '../engine/slots.ts';
import type { Conversation, EngineInfo, GenerationRequest } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import {
  DEFAULT_RETRIEVED,
  FOCUS_BEST_OF,
  MAX_BEST_OF,
  MAX_FOCUS,
  MAX_FOCUS_LENGTH,
  MAX_RETRIEVED,
} from '../select/constants.ts';
import type { Failure } from './failures.ts';
import {
  conversationOptions,
  messageSchema,
  nothingToAnswer,
  toConversation,
  wrongModel,
} from './messages.ts';
import { findUnsupported } from './unsupported.ts';
import { validate } from './validate.ts';

const stopString = z.string().min(1).max(MAX_STOP_LENGTH);
/** Beyond this a bias decides alone, in either direction. */
const bias = z.number().min(-100).max(100);

const schema = z.object({
  model: z.string().nullish(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repeat_penalty: z.number().min(0.5).max(2).nullish(),
  repetition_penalty: z.number().min(0.5).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([stopString, z.array(stopString).max(MAX_STOP_STRINGS)]).nullish(),
  attune: conversationOptions
    .extend({
      intent: z.enum(STEERING).nullish(),
      intent_bias: z.partialRecord(z.enum(INTENTS), bias).nullish(),
      deterministic: z.boolean().nullish(),
      best_of: z.int().min(1).max(MAX_BEST_OF).nullish(),
      focus: z.array(z.string().trim().min(1).max(MAX_FOCUS_LENGTH)).max(MAX_FOCUS).nullish(),
      retrieval: z.union([z.boolean(), z.int().min(0).max(MAX_RETRIEVED)]).nullish(),
    })
    .nullish(),
});

/** A choice among several replies. */
export interface ChoiceRequest {
  /** Replies to generate. */
  readonly bestOf: number;
  /** Words that the reply should take up. */
  readonly focus: readonly string[];
  /** Retrieved replies that are looked for. */
  readonly retrieved: number;
}

/** A valid chat request. */
export interface ChatRequest {
  readonly conversation: Conversation;
  readonly generation: GenerationRequest;
  /** Null: the one reply that is made is the answer. */
  readonly choice: ChoiceRequest | null;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

/**
 * Validate a body. Unknown fields are ignored.
 * @param randomSeed a seed for requests that name none
 */
export function parseChatRequest(
  body: unknown,
  info: EngineInfo,
  randomSeed: () => number,
): Result<ChatRequest, Failure> {
  const unsupported = findUnsupported(body);
  if (unsupported !== null) return failed(unsupported);
  const valid = validate(schema, body);
  if (!valid.ok) return valid;
  const input = valid.value;
  const unknown = wrongModel(input.model, info);
  if (unknown !== null) return failed(unknown);
  const conversation = toConversation(input, info);
  if (!conversation.ok) return conversation;
  const unanswerable = nothingToAnswer(conversation.value);
  if (unanswerable !== null) return failed(unanswerable);
  const temperature = input.temperature ?? DEFAULT_TEMPERATURE;
  const choice = choiceOf(input.attune ?? {}, temperature);
  if (!choice.ok) return choice;
  const deterministic = input.attune?.deterministic ?? false;
  const seed = input.seed ?? (deterministic ? 0 : randomSeed());
  return success({
    conversation: conversation.value,
    choice: choice.value,
    stream: input.stream ?? false,
    includeUsage: input.stream_options?.include_usage ?? false,
    generation: {
      sampling: {
        temperature,
        topP: input.top_p ?? DEFAULT_TOP_P,
        minP: input.min_p ?? DEFAULT_MIN_P,
        frequencyPenalty: input.frequency_penalty ?? 0,
        presencePenalty: input.presence_penalty ?? 0,
        repeatPenalty: input.repeat_penalty ?? input.repetition_penalty ?? DEFAULT_REPEAT_PENALTY,
        seed: ((seed % SEED_MODULUS) + SEED_MODULUS) % SEED_MODULUS,
      },
      // A reply may take half of the context; the other half is what it answers.
      maxTokens: Math.min(
        input.max_completion_tokens ?? input.max_tokens ?? DEFAULT_MAX_TOKENS,
        Math.floor(info.contextSize / 2),
      ),
      stop: typeof input.stop === 'string' ? [input.stop] : (input.stop ?? []),
      intent: input.attune?.intent ?? null,
      intentBias: input.attune?.intent_bias ?? {},
      deterministic,
    },
  });
}

/**
 * Focus words act in the choice among replies (docs/decisions), so without a choice they would be
 * ignored in silence: they raise `best_of` where it is not given, and are refused where nothing can
 * be chosen. Greedy decoding says the same whatever the seed, so it makes one reply.
 */
function choiceOf(
  attune: NonNullable<z.output<typeof schema>['attune']>,
  temperature: number,
): Result<ChoiceRequest | null, Failure> {
  const focus = attune.focus ?? [];
  const asked = attune.best_of ?? (focus.length > 0 ? FOCUS_BEST_OF : 1);
  const bestOf = temperature === 0 ? 1 : asked;
  const retrieval = attune.retrieval ?? false;
  const retrieved = typeof retrieval === 'number' ? retrieval : retrieval ? DEFAULT_RETRIEVED : 0;
  if (bestOf === 1 && retrieved === 0 && focus.length > 0) {
    return failed({
      kind: 'invalid_value',
      param: 'attune.focus',
      message:
        'attune.focus chooses among replies: it needs attune.best_of of 2 or more (with a temperature above 0) or attune.retrieval.',
    });
  }
  return success(asked === 1 && retrieved === 0 ? null : { bestOf, focus, retrieved });
}
