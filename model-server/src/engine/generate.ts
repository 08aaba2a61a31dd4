/** One reply: intent token, sampled tokens, judge. */
import type { Token } from 'node-llama-cpp';
import { HEAD_CANDIDATES } from '../constants.ts';
import { chooseIntent } from '../heads/choose-intent.ts';
import { readJudge } from '../heads/read.ts';
import type { Lane } from './lane.ts';
import type { ReadPrompt } from './llama-engine.ts';
import type { ReplySampling, Sampler } from './sampling.ts';
import { StopFilter } from './stop-filter.ts';
import { TextAssembler } from './text-assembler.ts';
import type { GenerationEvent, GenerationRequest, Prompt } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A sequence that has just evaluated a prompt, and what to do with it. */
export interface ReplyWork {
  readonly lane: Lane;
  readonly vocabulary: Vocabulary;
  readonly sampler: Sampler;
  readonly prompt: Prompt<Token>;
  readonly request: GenerationRequest;
  readonly read: ReadPrompt;
  readonly signal: AbortSignal;
}

/**
 * Generate one reply on a prefilled lane.
 * @throws the signal's reason within one token of an abort
 */
export async function* generateReply(work: ReplyWork): AsyncGenerator<GenerationEvent, void, void> {
  const { lane, vocabulary, request, read, signal } = work;
  const { slots, ending, textOf } = vocabulary;
  const intent = chooseIntent(read.heads.intents, request.intent, request.intentBias);
  const intentToken = slots.steering.get(intent);
  if (intentToken === undefined) throw new Error('an intent without a token');
  yield {
    type: 'heads',
    heads: read.heads,
    intent,
    promptTokens: work.prompt.tokens.length + 1,
    reusedTokens: read.reusedTokens,
  };
  const sampling = work.sampler(request.sampling, work.prompt.replies);
  const text = new TextAssembler();
  const filter = new StopFilter(request.stop);
  let completionTokens = 0;
  let ended = false;
  let stopped = false;
  for await (const token of sampleReply(work, intentToken, sampling)) {
    completionTokens++;
    ended = ending.has(token);
    if (ended) break;
    const piece = filter.push(text.push(textOf(token)));
    stopped = piece.stopped;
    yield { type: 'token', text: piece.text };
    signal.throwIfAborted();
    if (stopped || completionTokens >= request.maxTokens) break;
  }
  signal.throwIfAborted();
  const [atJudge] = ended ? await lane.read([slots.imEnd, slots.judge], [1], HEAD_CANDIDATES) : [];
  yield {
    type: 'end',
    text: stopped ? '' : filter.end(),
    finishReason: ended || stopped ? 'stop' : 'length',
    completionTokens,
    responseScore: atJudge === undefined ? null : readJudge(atJudge, slots),
  };
}

/** Sampled tokens, the end token included. The first one is never an end: no reply is empty. */
async function* sampleReply(
  work: ReplyWork,
  intentToken: Token,
  sampling: ReplySampling,
): AsyncGenerator<Token, void, void> {
  const { lane, vocabulary } = work;
  const tokens = lane.sample([intentToken], sampling.options);
  try {
    const first = await tokens.next();
    if (first.done === true) return;
    let token = first.value;
    if (vocabulary.ending.has(token)) token = await bestText(lane, vocabulary, intentToken);
    for (;;) {
      sampling.push(token);
      yield token;
      // The token is given back explicitly: the first one may not be the one that was drawn.
      const next = await tokens.next(token);
      if (next.done === true) return;
      token = next.value;
    }
  } finally {
    await tokens.return();
  }
}

/** The most probable token of text after the intent. */
async function bestText(lane: Lane, vocabulary: Vocabulary, intentToken: Token): Promise<Token> {
  await lane.truncate(lane.length - 1);
  const [distribution] = await lane.read([intentToken], [0], HEAD_CANDIDATES);
  const masked = new Set(vocabulary.masked);
  for (const [token] of distribution ?? []) {
    // The map is ordered by falling probability.
    if (!masked.has(token) && !vocabulary.ending.has(token)) return token;
  }
  throw new Error('no token of text');
}
