/** What the HTTP side knows of an engine. A second engine (a remote one) fits behind the same types. */
import type { HeadReading } from '../heads/types.ts';
import type { Result } from '../result.ts';
import type { Emotion, Intent, Steering } from './slots.ts';

/** One message of the history, normalised (NFC, outer white space stripped), never empty. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Assistant turns: the intent that was used, `any` when unknown. */
  readonly intent: Steering;
}

/** What a prompt is made of. */
export interface Conversation {
  /** Text of the system turn; empty for none. */
  readonly persona: string;
  readonly turns: readonly Turn[];
  /** Emotion told to the model; null lets it read its own. */
  readonly emotion: Emotion | null;
}

/** A prompt up to and including `<|intent|>`, as token ids. */
export interface Prompt<T extends number = number> {
  readonly tokens: readonly T[];
  /** Index of `<|affect|>`; `<|intent|>` is the last token. */
  readonly affectIndex: number;
  /** Token ids of the assistant turns that are in the prompt. */
  readonly replies: readonly (readonly T[])[];
  /** Turns left out from the old end, a shortened one included. */
  readonly trimmedTurns: number;
}

/** Why a prompt cannot be made. */
export interface PromptFailure {
  readonly kind: 'persona_too_long';
  /** Null when the text is so long that it was not tokenised. */
  readonly tokens: number | null;
  readonly limit: number;
}

/** Sampling of one reply. Penalties follow OpenAI's meaning, over the tokens of this reply. */
export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topP: number;
  readonly minP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  /** 1 is none. */
  readonly repeatPenalty: number;
  /** 0 … 2^32 - 2. */
  readonly seed: number;
}

/** One reply to be made. */
export interface GenerationRequest {
  readonly sampling: Sampling;
  readonly maxTokens: number;
  readonly stop: readonly string[];
  /** Forced intent; null takes the predicted one. */
  readonly intent: Steering | null;
  /** Added to the log probabilities of the intents before the best is taken. */
  readonly intentBias: Readonly<Partial<Record<Intent, number>>>;
  /** Own batches and no reuse of earlier state: the same seed gives the same reply. */
  readonly deterministic: boolean;
}

/** What a generation tells, in this order: heads, text*, end. */
export type GenerationEvent =
  | {
      readonly type: 'heads';
      readonly heads: HeadReading;
      readonly intent: Steering;
      readonly promptTokens: number;
      /** Prompt tokens whose state was kept from an earlier request. */
      readonly reusedTokens: number;
    }
  | {
      /** One sampled token; `text` is often empty (a part of a character, a held-back stop). */
      readonly type: 'token';
      readonly text: string;
    }
  | {
      readonly type: 'end';
      /** Text that was held back. */
      readonly text: string;
      readonly finishReason: 'stop' | 'length';
      /** Tokens sampled, the end token included. */
      readonly completionTokens: number;
      /** P(good) / (P(good) + P(bad)) at the judge; null unless the model ended the reply itself. */
      readonly responseScore: number | null;
    };

/** A reply to be scored, and the intent it is scored under. */
export interface ReplyToScore {
  readonly text: string;
  /** `predicted` is the model's own best intent. */
  readonly intent: Steering | 'predicted';
}

/** Likelihood of one reply: its tokens and the end token. */
export interface ReplyScore {
  readonly intent: Steering;
  readonly tokens: readonly number[];
  /** Natural logarithms, one per token. */
  readonly logprobs: readonly number[];
  /** Response prediction after the reply: ln P(good) - ln P(bad); null when it was not asked for. */
  readonly judge: number | null;
}

/** Facts of the loaded weights. */
export interface EngineInfo {
  readonly model: string;
  /** Persona the model was trained with. */
  readonly persona: string;
  /** Tokens per sequence. */
  readonly contextSize: number;
  readonly sequences: number;
  /** Whether the weights were trained with `<|emo:x|>` as an input. */
  readonly emotionInput: boolean;
  /** Whether `score` works: not every remote engine gives the probabilities of given tokens. */
  readonly scoring: boolean;
}

/**
 * A loaded model. Callers hold one of `info.sequences` permits for every call that takes a signal;
 * the engine does not queue. An aborted signal ends a call by throwing its reason.
 */
export interface Engine {
  readonly info: EngineInfo;
  /**
   * Tokenise a conversation, trimmed from the oldest turn until it leaves `reserve` tokens free.
   * Pure and quick.
   */
  prepare(conversation: Conversation, reserve: number): Result<Prompt, PromptFailure>;
  /** Emotion and intent heads. */
  readHeads(prompt: Prompt, signal: AbortSignal): Promise<HeadReading>;
  /** Heads, then a reply token by token; stops within one token of an abort or `return()`. */
  generate(
    prompt: Prompt,
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, void, void>;
  /** Tokens of a reply and its end token. */
  countReply(text: string): number;
  /**
   * Likelihoods of replies to one prompt, which is evaluated once.
   * @param judge whether the judge slot is read after each reply, too
   */
  score(
    prompt: Prompt,
    replies: readonly ReplyToScore[],
    judge: boolean,
    signal: AbortSignal,
  ): Promise<readonly ReplyScore[]>;
  /** Free the model. Nothing may be running. */
  close(): Promise<void>;
}
