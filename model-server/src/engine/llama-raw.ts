/** Raw completions over the sequences of a llama.cpp context. */
import type { LlamaModel, Token } from 'node-llama-cpp';
import {
  HEAD_CANDIDATES,
  LOG_ZERO,
  RAW_ANCHOR_TAIL,
  SCORE_CANDIDATES,
  SCORED_TOKENS_AT_ONCE,
} from '../constants.ts';
import type { Lane, LogProbabilities } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { RawCompletions, RawEvent, RawPosition, RawRequest } from './raw.ts';
import { rawSampling } from './raw-sampling.ts';
import { bytesOfToken } from './token-bytes.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What raw completions are made of. */
export interface RawParts {
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly lanes: Lanes;
}

/** See {@link RawCompletions}. */
export class LlamaRaw implements RawCompletions {
  readonly vocabularySize: number;
  readonly #parts: RawParts;
  /** Token by id. */
  readonly #tokens: readonly Token[];
  readonly #control: ReadonlySet<number>;

  constructor(parts: RawParts) {
    this.#parts = parts;
    this.#tokens = [...parts.model.iterateAllTokens()];
    this.vocabularySize = this.#tokens.length;
    this.#control = new Set([...parts.vocabulary.masked, ...parts.vocabulary.ending]);
  }

  encode(text: string): readonly number[] {
    return this.#parts.model.tokenize(text, false);
  }

  textOf(token: number): string {
    return this.#control.has(token) ? '' : this.#parts.vocabulary.textOf(token);
  }

  nameOf(token: number): string {
    const text = this.#parts.vocabulary.textOf(token);
    return this.#control.has(token) ? text : new TextDecoder().decode(bytesOfToken(text));
  }

  async *complete(request: RawRequest, signal: AbortSignal): AsyncGenerator<RawEvent, void, void> {
    const prompt = request.prompt.map((id) => this.#own(id));
    const lane = this.#parts.lanes.take(prompt, request.fresh);
    // Who stops reading, at a stop string for one, leaves a sequence in a known state.
    let clean = true;
    try {
      // The last token is evaluated by what is drawn after it; an echo reads from one before on.
      const last = prompt.length - 1;
      const echoes = request.echoFrom !== null && request.top !== null;
      const readFrom = Math.min(last, Math.max(0, echoes ? (request.echoFrom ?? 0) - 1 : last));
      const reusedTokens = lane.align(prompt, request.fresh ? 0 : readFrom, request.fresh);
      await lane.prefill(prompt.slice(reusedTokens, readFrom), signal);
      const read = echoes
        ? await readTargets(lane, prompt.slice(readFrom), request.top ?? 0, signal)
        : [];
      const unread: null[] = new Array(prompt.length - read.length).fill(null);
      // What is echoed with probabilities is a candidate: the next one stands in its place.
      lane.anchor = Math.max(1, readFrom - RAW_ANCHOR_TAIL);
      yield { type: 'prompt', reusedTokens, positions: [...unread, ...read] };
      yield* this.#generate(lane, prompt.slice(last), request, signal);
    } catch (error) {
      // A failure of llama.cpp may coincide with an abort.
      clean = signal.aborted && error === signal.reason;
      throw error;
    } finally {
      this.#parts.lanes.giveBack(lane, clean);
    }
  }

  /** Continue after `tail`, the last token of the prompt. */
  async *#generate(
    lane: Lane,
    tail: readonly Token[],
    request: RawRequest,
    signal: AbortSignal,
  ): AsyncGenerator<RawEvent, void, void> {
    const { ending } = this.#parts.vocabulary;
    const sampling = rawSampling(request.sampling, this.#tokens);
    let inputs = tail;
    let stopped = false;
    for (let count = 0; count < request.maxTokens && !stopped; count++) {
      signal.throwIfAborted();
      const token = await lane.draw(inputs, sampling);
      sampling.push(token);
      stopped = request.stopTokens.has(token) || (!request.ignoreEnd && ending.has(token));
      const position =
        request.top === null ? null : await lookBack(lane, inputs.slice(-1), token, request.top);
      yield { type: 'token', token, position, ending: stopped };
      inputs = [token];
    }
    signal.throwIfAborted();
    yield { type: 'end', finishReason: stopped ? 'stop' : 'length' };
  }

  #own(id: number): Token {
    const token = this.#tokens[id];
    if (token === undefined) throw new RangeError('token id outside the vocabulary');
    return token;
  }
}

/** The sampler does not tell the distribution unchanged: the last token is evaluated once more. */
async function lookBack(
  lane: Lane,
  last: readonly Token[],
  drawn: Token,
  likeliest: number,
): Promise<RawPosition> {
  lane.truncate(lane.length - 1);
  const ask = { at: 0, wanted: [drawn], candidates: HEAD_CANDIDATES, likeliest };
  const [found] = await lane.read(last, [ask]);
  return positionOf(found ?? new Map(), drawn, likeliest);
}

/** Log probabilities of `tokens[1…]`, each after those before it; the last one is not evaluated. */
async function readTargets(
  lane: Lane,
  tokens: readonly Token[],
  top: number,
  signal: AbortSignal,
): Promise<RawPosition[]> {
  const positions: RawPosition[] = [];
  for (let start = 0; start + 1 < tokens.length; start += SCORED_TOKENS_AT_ONCE) {
    signal.throwIfAborted();
    const end = Math.min(start + SCORED_TOKENS_AT_ONCE, tokens.length - 1);
    const targets = tokens.slice(start + 1, end + 1);
    const read = await lane.read(
      tokens.slice(start, end),
      targets.map((target, at) => ({
        at,
        wanted: [target],
        candidates: SCORE_CANDIDATES,
        likeliest: top,
      })),
    );
    for (const [index, target] of targets.entries()) {
      positions.push(positionOf(read[index] ?? new Map(), target, top));
    }
  }
  return positions;
}

function positionOf(found: LogProbabilities, token: number, top: number): RawPosition {
  const ranked = [...found].sort(([, a], [, b]) => b - a);
  const own = ranked.find(([id]) => id === token)?.[1] ?? LOG_ZERO;
  return { logprob: own, top: ranked.slice(0, top) };
}
