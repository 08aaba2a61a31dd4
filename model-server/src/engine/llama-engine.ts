/** The engine over a loaded llama.cpp model: prompts, heads, replies, likelihoods. */
import type { Llama, LlamaContext, LlamaModel, Token } from 'node-llama-cpp';
import { CONTEXT_SPARE, HEAD_CANDIDATES } from '../constants.ts';
import { readHead } from '../heads/read.ts';
import type { HeadReading } from '../heads/types.ts';
import type { Result } from '../result.ts';
import { generateReply } from './generate.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { buildPrompt } from './prompt.ts';
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
  readonly #loaded: LoadedModel;
  readonly #lanes: Lanes;
  readonly #sampler: Sampler;
  /** Token by id: the engine's tokens are branded numbers, prompts of callers are plain ones. */
  readonly #tokens: readonly Token[];

  constructor(loaded: LoadedModel) {
    const { context, model, vocabulary } = loaded;
    this.#loaded = loaded;
    this.#lanes = new Lanes(context);
    this.#sampler = createSampler(model, vocabulary);
    this.#tokens = [...model.iterateAllTokens()];
    this.info = {
      model: vocabulary.name,
      persona: vocabulary.persona,
      contextSize: context.contextSize,
      sequences: context.totalSequences,
      emotionInput: vocabulary.emotionInput,
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
    return this.#withLane(
      owned,
      false,
      async (lane) => (await this.#read(lane, owned, signal, true)).heads,
    );
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
      const read = await this.#read(lane, owned, signal, !request.deterministic);
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
      clean = signal.aborted;
      throw error;
    } finally {
      await this.#lanes.giveBack(lane, clean);
    }
  }

  async score(
    prompt: Prompt,
    replies: readonly ReplyToScore[],
    signal: AbortSignal,
  ): Promise<readonly ReplyScore[]> {
    const owned = this.#own(prompt);
    const encoded = replies.map(({ text, intent }) => ({ tokens: this.#encode(text), intent }));
    return this.#withLane(owned, false, async (lane) => {
      const { heads } = await this.#read(lane, owned, signal, true);
      return scoreReplies({
        lane,
        slots: this.#loaded.vocabulary.slots,
        replies: encoded,
        heads,
        signal,
      });
    });
  }

  async close(): Promise<void> {
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
    fresh: boolean,
    work: (lane: Lane) => Promise<R>,
  ): Promise<R> {
    const lane = this.#lanes.take(prompt.tokens, fresh);
    let clean = false;
    try {
      const result = await work(lane);
      clean = true;
      return result;
    } finally {
      await this.#lanes.giveBack(lane, clean);
    }
  }

  /** One prefill of the prompt reads both heads; the slots themselves are never reused. */
  async #read(
    lane: Lane,
    prompt: Prompt<Token>,
    signal: AbortSignal,
    reuse: boolean,
  ): Promise<ReadPrompt> {
    const { tokens, affectIndex } = prompt;
    const { slots } = this.#loaded.vocabulary;
    const reusedTokens = await lane.align(tokens, reuse ? affectIndex : 0);
    await lane.prefill(tokens.slice(reusedTokens, affectIndex), signal);
    const heads = tokens.slice(affectIndex);
    const [atAffect, atIntent] = await lane.read(heads, [0, heads.length - 1], HEAD_CANDIDATES);
    if (atAffect === undefined || atIntent === undefined)
      throw new Error('the engine read no heads');
    const emotions = readHead(atAffect, slots.emotions);
    const intents = readHead(atIntent, slots.intents);
    return {
      reusedTokens,
      heads: {
        emotions: emotions.ranked,
        intents: intents.ranked,
        emotionMass: emotions.mass,
        intentMass: intents.mass,
      },
    };
  }
}
