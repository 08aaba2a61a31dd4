/** The engine over any server of OpenAI's completion API that serves our weights. */
import { CONTEXT_SPARE } from '../../constants.ts';
import type { HeadReading } from '../../heads/types.ts';
import type { Result } from '../../result.ts';
import { buildPrompt } from '../prompt.ts';
import type { Tokenizer } from '../tokenizer.ts';
import type {
  Conversation,
  Engine,
  EngineInfo,
  GenerationEvent,
  GenerationRequest,
  Prompt,
  PromptFailure,
  ReplyScore,
  ReplyToScore,
} from '../types.ts';
import { readHeadsRemotely } from './heads.ts';
import type { RemoteModel } from './remote-model.ts';
import { generateRemotely } from './reply.ts';
import type { TokenIds } from './requests.ts';
import { scoreRemotely } from './score.ts';

/** What a look at the server found. */
export interface RemoteFacts {
  readonly tokenIds: TokenIds;
  /** Whether it gives the probabilities of given tokens. */
  readonly scoring: boolean;
}

/** What the engine is made of. */
export interface RemoteEngineParts {
  readonly model: RemoteModel;
  readonly tokenizer: Tokenizer;
  readonly facts: RemoteFacts;
  /** Tokens per sequence. */
  readonly contextSize: number;
  /** Requests in progress at once. */
  readonly sequences: number;
}

/**
 * See {@link Engine}. Texts become token ids here, by the vocabulary of our own file, and only ids
 * go out (case T08). Methods throw EngineFailure when the server fails.
 */
export class RemoteEngine implements Engine {
  readonly info: EngineInfo;
  readonly #parts: RemoteEngineParts;

  constructor(parts: RemoteEngineParts) {
    const { vocabulary } = parts.tokenizer;
    this.#parts = parts;
    this.info = {
      model: vocabulary.name,
      persona: vocabulary.persona,
      contextSize: parts.contextSize,
      sequences: parts.sequences,
      emotionInput: vocabulary.emotionInput,
      scoring: parts.facts.scoring,
    };
  }

  prepare(conversation: Conversation, reserve: number): Result<Prompt, PromptFailure> {
    const { encode, vocabulary } = this.#parts.tokenizer;
    const budget = this.info.contextSize - reserve - CONTEXT_SPARE;
    return buildPrompt<number>(conversation, { slots: vocabulary.slots, encode }, budget);
  }

  countReply(text: string): number {
    return this.#parts.tokenizer.encode(text).length + 1;
  }

  async readHeads(prompt: Prompt, signal: AbortSignal): Promise<HeadReading> {
    const { model, tokenizer } = this.#parts;
    const { slots } = tokenizer.vocabulary;
    return (await readHeadsRemotely(model, slots, prompt, signal)).heads;
  }

  async *generate(
    prompt: Prompt,
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, void, void> {
    const { model, tokenizer, facts } = this.#parts;
    const { slots } = tokenizer.vocabulary;
    const fresh = request.deterministic;
    const read = await readHeadsRemotely(model, slots, prompt, signal, fresh);
    yield* generateRemotely({
      model,
      tokenizer,
      tokenIds: facts.tokenIds,
      prompt,
      read: fresh ? { ...read, reusedTokens: 0 } : read,
      request,
      signal,
    });
  }

  async score(
    prompt: Prompt,
    replies: readonly ReplyToScore[],
    judge: boolean,
    signal: AbortSignal,
  ): Promise<readonly ReplyScore[]> {
    if (!this.info.scoring) throw new Error('the remote engine cannot score: see info.scoring');
    const { model, tokenizer } = this.#parts;
    return scoreRemotely({
      model,
      slots: tokenizer.vocabulary.slots,
      prompt,
      replies: replies.map(({ text, intent }) => ({ tokens: tokenizer.encode(text), intent })),
      heads: () => this.readHeads(prompt, signal),
      judge,
      signal,
    });
  }

  async close(): Promise<void> {
    await this.#parts.tokenizer.close();
  }
}
