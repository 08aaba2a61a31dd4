/** One reply: intent token, sampled tokens, judge. */
import type { Token } from 'node-llama-cpp';
import { chooseIntent } from '../heads/choose-intent.ts';
import { readJudge } from '../heads/read.ts';
import type { Lane } from './lane.ts';
import type { ReadPrompt } from './llama-engine.ts';
import { askJudge, probabilities } from './read-slots.ts';
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
  const sampling = work.sampler.reply(request.sampling, work.prompt.replies);
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
  const [atJudge] = ended ? await lane.read([slots.imEnd, slots.judge], [askJudge(1, slots)]) : [];
  yield {
    type: 'end',
    text: stopped ? '' : filter.end(),
    finishReason: ended || stopped ? 'stop' : 'length',
    completionTokens,
    responseScore: atJudge === undefined ? null : readJudge(probabilities(atJudge), slots),
  };
}

/**
 * Sampled tokens, the end token included. The first one is never an end: no reply is empty. The next
 * token is being drawn while the last one is on its way to the reader, unless it was the last.
 */
async function* sampleReply(
  work: ReplyWork,
  intentToken: Token,
  sampling: ReplySampling,
): AsyncGenerator<Token, void, void> {
  const { lane, vocabulary, request } = work;
  let token = await lane.draw([intentToken], sampling);
  if (vocabulary.ending.has(token)) {
    lane.truncate(lane.length - 1);
    token = await lane.draw([intentToken], work.sampler.bestText());
  }
  for (let count = 1; ; count++) {
    sampling.push(token);
    const last = vocabulary.ending.has(token) || count >= request.maxTokens;
    const next = last ? null : lane.draw([token], sampling);
    // Whoever stops reading leaves it behind; the sequence is free only when it is over.
    const over = next?.then(
      () => {},
      () => {},
    );
    try {
      yield token;
    } finally {
      await over;
    }
    if (next === null) return;
    token = await next;
  }
}
