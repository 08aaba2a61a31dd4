/** The engine over a loaded llama.cpp model: prompts, heads, replies, likelihoods. */
import type { Llama, LlamaContext, LlamaModel, Token } from 'node-llama-cpp';
import { CONTEXT_SPARE, PREFILL_TOKENS } from '../constants.ts';
import type { HeadReading } from '../heads/types.ts';
import type { Result } from '../result.ts';
import { Batcher } from './batcher.ts';
import { generateReply } from './generate.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { LlamaRaw } from './llama-raw.ts';
import type { Native } from './native.ts';
import { buildPrompt } from './prompt.ts';
import type { RawCompletions } from './raw.ts';
import { readHeads } from './read-slots.ts';
import { RowReader } from './row-reader.ts';
import { createSampler, type Sampler } from './sampling.ts';
import { scoreReplies } from './score.ts';
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
} from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What loading made. */
export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly native: Native;
  readonly vocabulary: Vocabulary;
}

/** Emotion and intent at one prompt, and how much of it was already evaluated. */
export interface ReadPrompt {
  readonly heads: HeadReading;
  readonly reusedTokens: number;
}

/** See {@link Engine}. */
export class LlamaEngine implements Engine {
  readonly info: EngineInfo;
  /** The model without the slot format, over the same sequences. */
  readonly raw: RawCompletions;
  readonly #loaded: LoadedModel;
  readonly #lanes: Lanes;
  readonly #reader: RowReader;
  readonly #sampler: Sampler;
  /** Token by id: the engine's tokens are branded numbers, prompts of callers are plain ones. */
  readonly #tokens: readonly Token[];

  constructor(loaded: LoadedModel) {
    const { context, model, native, vocabulary } = loaded;
    this.#loaded = loaded;
    this.#reader = new RowReader(native);
    const limits = { batch: context.batchSize, context: context.contextSize };
    const batcher = new Batcher(native.context, limits);
    const shared = { native, batcher, reader: this.#reader, contextSize: context.contextSize };
    this.#lanes = new Lanes(shared, context.totalSequences);
    this.#tokens = [...model.iterateAllTokens()];
    this.#sampler = createSampler(vocabulary, this.#tokens);
    this.raw = new LlamaRaw({ model, vocabulary, lanes: this.#lanes });
    this.info = {
      model: vocabulary.name,
      persona: vocabulary.persona,
      contextSize: context.contextSize,
      sequences: context.totalSequences,
      emotionInput: vocabulary.emotionInput,
      scoring: true,
    };
  }

  prepare(conversation: Conversation, reserve: number): Result<Prompt<Token>, PromptFailure> {
    const { slots } = this.#loaded.vocabulary;
    const encode = (text: string) => this.#encode(text);
    return buildPrompt(
      conversation,
      { slots, encode },
      this.info.contextSize - reserve - CONTEXT_SPARE,
    );
  }

  countReply(text: string): number {
    return this.#encode(text).length + 1;
  }

  async readHeads(prompt: Prompt, signal: AbortSignal): Promise<HeadReading> {
    const owned = this.#own(prompt);
    const read = async (lane: Lane) => (await this.#read(lane, owned, signal, false)).heads;
    return this.#withLane(owned, signal, read);
  }

  async *generate(
    prompt: Prompt,
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, void, void> {
    const owned = this.#own(prompt);
    const lane = this.#lanes.take(owned.tokens, request.deterministic);
    let clean = false;
    try {
      const read = await this.#read(lane, owned, signal, request.deterministic);
      const { vocabulary } = this.#loaded;
      yield* generateReply({
        lane,
        vocabulary,
        sampler: this.#sampler,
        prompt: owned,
        request,
        read,
        signal,
      });
      clean = true;
    } catch (error) {
      clean = signal.aborted && error === signal.reason;
      throw error;
    } finally {
      this.#lanes.giveBack(lane, clean);
    }
  }

  async score(
    prompt: Prompt,
    replies: readonly ReplyToScore[],
    judge: boolean,
    signal: AbortSignal,
  ): Promise<readonly ReplyScore[]> {
    const owned = this.#own(prompt);
    return this.#withLane(owned, signal, async (lane) => {
      const { heads } = await this.#read(lane, owned, signal, false);
      return scoreReplies({
        lane,
        slots: this.#loaded.vocabulary.slots,
        replies,
        encode: (text) => this.#encode(text),
        heads,
        judge,
        signal,
      });
    });
  }

  async close(): Promise<void> {
    this.#lanes.dispose();
    this.#reader.dispose();
    await this.#loaded.context.dispose();
    await this.#loaded.model.dispose();
    await this.#loaded.llama.dispose();
  }

  #encode(text: string): readonly Token[] {
    return this.#loaded.model.tokenize(text, false);
  }

  #own(prompt: Prompt): Prompt<Token> {
    const own = (ids: readonly number[]) =>
      ids.map((id) => {
        const token = this.#tokens[id];
        if (token === undefined) throw new RangeError('token id outside the vocabulary');
        return token;
      });
    return { ...prompt, tokens: own(prompt.tokens), replies: prompt.replies.map(own) };
  }

  async #withLane<R>(
    prompt: Prompt<Token>,
    signal: AbortSignal,
    work: (lane: Lane) => Promise<R>,
  ): Promise<R> {
    const lane = this.#lanes.take(prompt.tokens, false);
    let clean = false;
    try {
      const result = await work(lane);
      clean = true;
      return result;
    } catch (error) {
      clean = signal.aborted && error === signal.reason;
      throw error;
    } finally {
      this.#lanes.giveBack(lane, clean);
    }
  }

  /**
   * One prefill of the prompt reads both heads; the slots themselves are never reused.
   * @param alone nothing is reused, no batch is shared
   */
  async #read(
    lane: Lane,
    prompt: Prompt<Token>,
    signal: AbortSignal,
    alone: boolean,
  ): Promise<ReadPrompt> {
    const { tokens, affectIndex } = prompt;
    const reusedTokens = lane.align(tokens, alone ? 0 : affectIndex, alone);
    // The last piece of the prompt goes with the slots, which saves a pass over the weights.
    const last = Math.max(reusedTokens, Math.min(affectIndex, tokens.length - PREFILL_TOKENS));
    await lane.prefill(tokens.slice(reusedTokens, last), signal);
    const { slots } = this.#loaded.vocabulary;
    const heads = await readHeads(lane, tokens.slice(last), affectIndex - last, slots);
    signal.throwIfAborted();
    lane.anchor = affectIndex;
    return { reusedTokens, heads };
  }
}
