/** One answer out of several: candidates are made one after the other, scored, and one is given. */
import { SEED_MODULUS } from '../constants.ts';
import { normaliseText } from '../engine/prompt.ts';
import type {
  Conversation,
  Engine,
  GenerationEvent,
  GenerationRequest,
  Prompt,
} from '../engine/types.ts';
import { type Candidate, type Choice, choose, type Features } from './choose.ts';
import { SEED_STEP } from './constants.ts';
import { piecesOf } from './pieces.ts';
import { type CandidateScore, scoreCandidates } from './score-candidates.ts';

/** Where a candidate comes from. */
export type Source = 'generated' | 'retrieved';

/** How an answer was chosen, for the client. */
export interface Selection {
  /** Replies that were generated. */
  readonly bestOf: number;
  /** Index into `candidates`. */
  readonly chosen: number;
  /** Generated ones in the order of their seeds, then retrieved ones. */
  readonly candidates: readonly (Features & { readonly source: Source })[];
}

type EndEvent = Extract<GenerationEvent, { type: 'end' }>;

/** An answer as it comes out, chosen or not. */
export type ReplyEvent =
  | Exclude<GenerationEvent, { type: 'end' }>
  /** A part of a reply that was finished before. */
  | { readonly type: 'piece'; readonly text: string }
  /** `completionTokens` counts the tokens of all candidates. */
  | (EndEvent & { readonly selection?: Selection });

/** What to choose from, and for what. */
export interface BestOfWork {
  readonly engine: Engine;
  readonly conversation: Conversation;
  readonly prompt: Prompt;
  /** The request of the first candidate; the others have other seeds. */
  readonly generation: GenerationRequest;
  /** Replies to generate, at least 1. */
  readonly bestOf: number;
  readonly focus: readonly string[];
  /** Replies from elsewhere. */
  readonly retrieved: readonly string[];
  readonly signal: AbortSignal;
}

interface Made {
  readonly source: Source;
  readonly text: string;
  readonly finishReason: 'stop' | 'length';
  readonly responseScore: number | null;
}

/**
 * Tokens that a reply may have beyond max_tokens when it is read again, its end included. The prompt
 * leaves CONTEXT_SPARE (8) of them free, and intent and judge need two.
 */
const REENCODING_SPARE = 2;

/**
 * Make the candidates, choose, and give the chosen one piece by piece. While candidates are made,
 * each of their tokens is an empty `token` event, so that the caller counts them and stops in time.
 * Candidates share the prompt's evaluation unless the request is deterministic.
 *
 * Where the engine cannot score given texts, the choice rests on the other features.
 * @throws the signal's reason within one token of an abort
 */
export async function* bestOf(work: BestOfWork): AsyncGenerator<ReplyEvent, void, void> {
  const { engine, generation, signal } = work;
  const made: Made[] = [];
  let completionTokens = 0;
  for (let index = 0; index < work.bestOf; index++) {
    const { seed } = generation.sampling;
    const sampling = { ...generation.sampling, seed: (seed + index * SEED_STEP) % SEED_MODULUS };
    let text = '';
    for await (const event of engine.generate(work.prompt, { ...generation, sampling }, signal)) {
      if (event.type === 'heads') {
        if (index === 0) yield event;
        continue;
      }
      text += event.text;
      if (event.type === 'token') {
        yield { type: 'token', text: '' };
      } else {
        const { finishReason, responseScore } = event;
        completionTokens += event.completionTokens;
        made.push({ source: 'generated', text, finishReason, responseScore });
      }
    }
  }
  for (const text of work.retrieved) {
    // What a generated reply could not be, a retrieved one is not, either.
    if (generation.stop.some((stop) => text.includes(stop))) continue;
    if (engine.countReply(text) > generation.maxTokens) continue;
    made.push({ source: 'retrieved', text, finishReason: 'stop', responseScore: null });
  }
  const scores = await scoresOf(work, made);
  const candidates = made.map(({ text, finishReason }, index): Candidate => {
    return { text, score: scores[index] ?? null, complete: finishReason === 'stop' };
  });
  const choice = choose(candidates, {
    focus: work.focus,
    earlier: work.conversation.turns
      .filter(({ role }) => role === 'assistant')
      .map(({ text }) => text),
  });
  const answer = made[choice.chosen];
  if (answer === undefined) throw new Error('no candidate');
  for (const text of piecesOf(answer.text)) yield { type: 'piece', text };
  yield {
    type: 'end',
    text: '',
    finishReason: answer.finishReason,
    completionTokens,
    responseScore: answer.responseScore ?? probability(scores[choice.chosen]?.judge ?? null),
    selection: selectionOf(work, made, choice),
  };
}

/** One score per candidate; null for what cannot be scored. */
async function scoresOf(
  work: BestOfWork,
  made: readonly Made[],
): Promise<readonly (CandidateScore | null)[]> {
  const { engine, conversation, prompt, signal } = work;
  const reserve = work.generation.maxTokens + REENCODING_SPARE;
  const texts = made.map(({ text }) => normaliseText(text));
  // A sampled reply can have more tokens when it is read again; it must not overrun the context.
  const fits = texts.map((text) => text !== '' && engine.countReply(text) <= reserve);
  if (!engine.info.scoring || !fits.includes(true)) return made.map(() => null);
  const scored = await scoreCandidates({
    engine,
    conversation,
    prompt,
    reserve: work.generation.maxTokens,
    texts: texts.filter((_, index) => fits[index]),
    judge: true,
    signal,
  });
  const rest = scored.values();
  return fits.map((fit) => (fit ? (rest.next().value ?? null) : null));
}

function selectionOf(work: BestOfWork, made: readonly Made[], choice: Choice): Selection {
  return {
    bestOf: work.bestOf,
    chosen: choice.chosen,
    candidates: choice.features.map((features, index) => ({
      source: made[index]?.source ?? 'generated',
      ...features,
    })),
  };
}

/** Log odds to a probability. */
function probability(logOdds: number | null): number | null {
  return logOdds === null ? null : 1 / (1 + Math.exp(-logOdds));
}
