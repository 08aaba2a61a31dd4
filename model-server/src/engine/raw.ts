/**
 * The model without the slot format: token ids in, token ids and log probabilities out. It is what
 * `POST /v1/completions` needs, and not every engine has it.
 */
import type { Engine } from './types.ts';

/** Sampling of a raw completion; nothing is masked but by `logitBias`. */
export interface RawSampling {
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  /** 1 is none; it looks at the generated tokens only. */
  readonly repeatPenalty: number;
  /** 0 … 2^32 - 2. */
  readonly seed: number;
  /** Added to logits; -100 and less excludes a token. */
  readonly logitBias: ReadonlyMap<number, number>;
}

/** One completion. */
export interface RawRequest {
  /** At least one token, each inside the vocabulary. */
  readonly prompt: readonly number[];
  /** 0 only reads. */
  readonly maxTokens: number;
  readonly sampling: RawSampling;
  /** Tokens that end the completion, beside the vocabulary's own. */
  readonly stopTokens: ReadonlySet<number>;
  /** Whether the vocabulary's own end tokens are passed over. */
  readonly ignoreEnd: boolean;
  /** How many of the likeliest tokens are told at each position; null for no probabilities. */
  readonly top: number | null;
  /** Prompt tokens from this index on get probabilities, too; null for none. */
  readonly echoFrom: number | null;
  /** No state of an earlier request is used. */
  readonly fresh: boolean;
}

/** What the model thought of one position; natural logarithms over the whole vocabulary. */
export interface RawPosition {
  readonly logprob: number;
  /** By falling probability. */
  readonly top: readonly (readonly [token: number, logprob: number])[];
}

/** In this order: prompt, token*, end. */
export type RawEvent =
  | {
      readonly type: 'prompt';
      readonly reusedTokens: number;
      /** One per prompt token; null where nothing was asked or, for the first, can be known. */
      readonly positions: readonly (RawPosition | null)[];
    }
  | {
      readonly type: 'token';
      readonly token: number;
      readonly position: RawPosition | null;
      /** It ends the completion. */
      readonly ending: boolean;
    }
  | { readonly type: 'end'; readonly finishReason: 'stop' | 'length' };

/** Completions of token ids. Callers hold a permit, as for {@link Engine}. */
export interface RawCompletions {
  readonly vocabularySize: number;
  /** Text to tokens, special tokens off. */
  encode(text: string): readonly number[];
  /** A token's text in the vocabulary's own alphabet; empty for control tokens. */
  textOf(token: number): string;
  /** A token's name for people, control tokens included: `Hello`, `<|judge|>`. */
  nameOf(token: number): string;
  complete(request: RawRequest, signal: AbortSignal): AsyncGenerator<RawEvent, void, void>;
}

/** An engine that has raw completions. */
export interface RawEngine extends Engine {
  readonly raw: RawCompletions;
}

/** Whether an engine has raw completions. */
export function isRaw(engine: Engine): engine is RawEngine {
  return 'raw' in engine && engine.raw !== undefined;
}
