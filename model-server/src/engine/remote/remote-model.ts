/** Distributions and tokens of a remote model: its answers, checked. */
import { EngineFailure } from '../failure.ts';
import type { CompletionsClient } from './client.ts';
import {
  type Continuation,
  readingBody,
  replyBody,
  scoringBody,
  type TokenIds,
} from './requests.ts';
import { type Choice, readChoice } from './wire.ts';

/** A distribution at the end of a prompt. */
export interface Reading {
  /** Token → probability, for the likeliest tokens. */
  readonly distribution: ReadonlyMap<number, number>;
  /** Prompt tokens whose state the server still had; 0 when it does not tell. */
  readonly reusedTokens: number;
}

/** What a stream of a reply tells: frames of tokens with their text, then why it ended. */
export type Streamed =
  | { readonly type: 'tokens'; readonly tokens: readonly number[]; readonly text: string }
  | { readonly type: 'end'; readonly finishReason: 'stop' | 'length' };

/** One model of one server. Its methods throw {@link EngineFailure} or the signal's reason. */
export class RemoteModel {
  readonly #client: CompletionsClient;
  readonly #model: string;

  constructor(client: CompletionsClient, model: string) {
    this.#client = client;
    this.#model = model;
  }

  /**
   * The distribution after a prompt.
   * @param fresh no state of an earlier request is used
   */
  async read(prompt: readonly number[], signal: AbortSignal, fresh = false): Promise<Reading> {
    const answer = await this.#client.complete(this.#body(readingBody(prompt, fresh)), signal);
    const position = onlyChoice(answer).positions[0];
    if (position === undefined || position.top.size === 0) {
      throw new EngineFailure('broken', 'the remote engine named no token ids in its logprobs');
    }
    return {
      distribution: new Map([...position.top].map(([token, log]) => [token, Math.exp(log)])),
      reusedTokens: answer.usage?.prompt_tokens_details?.cached_tokens ?? 0,
    };
  }

  /**
   * Log probabilities of the tokens of `prompt` from index `from` on.
   * @throws EngineFailure also when the server does not echo
   */
  async score(
    prompt: readonly number[],
    from: number,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const answer = await this.#client.complete(this.#body(scoringBody(prompt, from)), signal);
    const echoed = onlyChoice(answer).positions.slice(from, prompt.length);
    const logprobs = echoed.flatMap(({ token, logprob }, index) =>
      token === prompt[from + index] && logprob !== null ? [logprob] : [],
    );
    if (logprobs.length !== prompt.length - from) {
      throw new EngineFailure('broken', 'the remote engine did not echo the prompt with logprobs');
    }
    return logprobs;
  }

  /** Stream a part of a reply. Always ends with `end`, or throws. */
  async *continue(want: Continuation, signal: AbortSignal): AsyncGenerator<Streamed, void, void> {
    for await (const answer of this.#client.stream(this.#body(replyBody(want)), signal)) {
      const [first] = answer.choices;
      if (first === undefined) continue;
      const choice = readChoice(first);
      yield { type: 'tokens', tokens: tokensOf(choice, want.tokenIds), text: choice.text };
      if (choice.finishReason === null) continue;
      yield { type: 'end', finishReason: choice.finishReason === 'length' ? 'length' : 'stop' };
      return;
    }
    throw new EngineFailure(
      'broken',
      'the stream of the remote engine ended without finish_reason',
    );
  }

  /** How this server tells generated ids in a stream. */
  async findTokenIds(want: Omit<Continuation, 'tokenIds'>, signal: AbortSignal): Promise<TokenIds> {
    const body = this.#body(replyBody({ ...want, tokenIds: 'token_ids' }));
    for await (const { choices } of this.#client.stream(body, signal)) {
      if (choices.some(({ token_ids: ids }) => ids && ids.length > 0)) return 'token_ids';
    }
    return 'logprobs';
  }

  #body(body: object): object {
    return { model: this.#model, ...body };
  }
}

function onlyChoice(answer: {
  readonly choices: readonly Parameters<typeof readChoice>[0][];
}): Choice {
  const [first] = answer.choices;
  if (first === undefined) throw new EngineFailure('broken', 'the remote engine made no choice');
  return readChoice(first);
}

function tokensOf(choice: Choice, form: TokenIds): readonly number[] {
  if (choice.tokens !== null) return choice.tokens;
  // A last frame carries a reason and no tokens; some servers leave `logprobs` out of it.
  if (choice.finishReason !== null || form === 'logprobs') return [];
  throw new EngineFailure('broken', 'a frame of the remote engine named no token ids');
}
