/**
 * One reply from a remote model: intent token, streamed tokens, judge. Text, stop strings and the
 * guard against repetition are made here from token ids, so that they are those of the in-process
 * engine whatever the server does with texts.
 */
import { NO_REPEAT_NGRAM } from '../../constants.ts';
import { chooseIntent } from '../../heads/choose-intent.ts';
import { readJudge } from '../../heads/read.ts';
import { EngineFailure } from '../failure.ts';
import { RepetitionGuard } from '../repetition.ts';
import { StopFilter } from '../stop-filter.ts';
import { TextAssembler } from '../text-assembler.ts';
import type { Tokenizer } from '../tokenizer.ts';
import type { GenerationEvent, GenerationRequest, Prompt } from '../types.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { judgeDistribution } from './floor.ts';
import type { ReadRemotely } from './heads.ts';
import { HeardTokens } from './heard-tokens.ts';
import type { RemoteModel } from './remote-model.ts';
import type { TokenIds } from './requests.ts';

/** A prompt whose heads were read, and what to do with it. */
export interface RemoteReply {
  readonly model: RemoteModel;
  readonly tokenizer: Tokenizer;
  readonly tokenIds: TokenIds;
  readonly prompt: Prompt;
  readonly read: ReadRemotely;
  readonly request: GenerationRequest;
  readonly signal: AbortSignal;
}

/** See {@link Engine.generate}. */
export async function* generateRemotely(
  work: RemoteReply,
): AsyncGenerator<GenerationEvent, void, void> {
  const { read, request, signal } = work;
  const { slots, ending, textOf } = work.tokenizer.vocabulary;
  const intent = chooseIntent(read.intents, request.intent, request.intentBias);
  const intentToken = slots.steering.get(intent);
  if (intentToken === undefined) throw new Error('an intent without a token');
  const opening = [...work.prompt.tokens, intentToken];
  yield {
    type: 'heads',
    heads: read.heads,
    intent,
    promptTokens: opening.length,
    reusedTokens: read.reusedTokens,
  };
  const text = new TextAssembler();
  const filter = new StopFilter(request.stop);
  const said: number[] = [];
  let ended = false;
  let stopped = false;
  for await (const token of replyTokens(work, opening)) {
    ended = token === END || ending.has(token);
    if (ended) break;
    said.push(token);
    const piece = filter.push(text.push(textOf(token)));
    stopped = piece.stopped;
    yield { type: 'token', text: piece.text };
    signal.throwIfAborted();
    if (stopped || said.length >= request.maxTokens) break;
  }
  signal.throwIfAborted();
  const responseScore = ended ? await askJudge(work, [...opening, ...said]) : null;
  yield {
    type: 'end',
    text: stopped ? '' : filter.end(),
    finishReason: ended || stopped ? 'stop' : 'length',
    completionTokens: said.length + (ended ? 1 : 0),
    responseScore,
  };
}

/** The reply is out: a judge that cannot be asked takes nothing of it back. */
async function askJudge(work: RemoteReply, reply: readonly number[]): Promise<number | null> {
  const { slots } = work.tokenizer.vocabulary;
  const prompt = [...reply, slots.imEnd, slots.judge];
  try {
    const judged = await work.model.read(prompt, work.signal, work.request.deterministic);
    return readJudge(judgeDistribution(judged.distribution, slots), slots);
  } catch (error) {
    if (error instanceof EngineFailure) return null;
    throw error;
  }
}

/** An end that the server did not name by its token. */
const END = -1;

/**
 * Tokens of the reply, its end included. A token that may not stand there (the end as the first one,
 * the last of a run said before, a control token or slot from a server that ignores `logit_bias`) is
 * thrown away with all that follows, and drawn again from the rest of the distribution; then a new
 * stream goes on behind it. That is what masking it does, which no common protocol can do in between;
 * only top-p and min-p have cut before the token was thrown away.
 */
async function* replyTokens(
  work: RemoteReply,
  opening: readonly number[],
): AsyncGenerator<number, void, void> {
  const { request } = work;
  const { ending, masked } = work.tokenizer.vocabulary;
  const never = new Set(masked);
  const guard = new RepetitionGuard<number>(work.prompt.replies, NO_REPEAT_NGRAM);
  const said: number[] = [];
  const keep = (token: number) => {
    said.push(token);
    guard.push(token);
    return token;
  };
  while (said.length < request.maxTokens) {
    let refused = false;
    for await (const token of oneStream(work, [...opening, ...said], said.length)) {
      const ends = token === END || ending.has(token);
      refused = ends ? said.length === 0 : never.has(token) || guard.blocked().includes(token);
      if (refused) break;
      yield keep(token);
      if (ends) return;
    }
    if (!refused) return;
    const token = await drawAgain(work, [...opening, ...said], said.length, guard.blocked());
    yield keep(token);
    if (token === END || ending.has(token)) return;
  }
}

/** A token in place of a refused one. The first of a reply is the likeliest text, as in-process. */
async function drawAgain(
  work: RemoteReply,
  prompt: readonly number[],
  said: number,
  blocked: readonly number[],
): Promise<number> {
  const { vocabulary } = work.tokenizer;
  const forbidden = new Set([...vocabulary.masked, ...blocked]);
  if (said > 0) {
    for await (const token of oneStream(work, prompt, said, { blocked, maxTokens: 1 })) {
      if (!forbidden.has(token)) return token;
      // A server that ignores `logit_bias`.
      break;
    }
  }
  const { distribution } = await work.model.read(prompt, work.signal);
  return bestText(distribution, vocabulary, forbidden);
}

/** One stream of up to all tokens that are left; `END` when it stopped without an end token. */
async function* oneStream(
  work: RemoteReply,
  prompt: readonly number[],
  said: number,
  only: { readonly blocked: readonly number[]; readonly maxTokens: number } | null = null,
): AsyncGenerator<number, void, void> {
  const { tokenizer, request } = work;
  const { vocabulary } = tokenizer;
  const heard = new HeardTokens(tokenizer);
  const events = work.model.continue(
    {
      prompt,
      maxTokens: only?.maxTokens ?? request.maxTokens - said,
      sampling: request.sampling,
      said,
      ending: vocabulary.ending,
      excluded: [...vocabulary.masked, ...(only?.blocked ?? [])],
      fresh: request.deterministic,
      tokenIds: work.tokenIds,
    },
    work.signal,
  );
  for await (const event of events) {
    if (event.type === 'end') {
      if (event.finishReason === 'stop') yield END;
    } else if (work.tokenIds === 'logprobs') yield* heard.take(event.tokens, event.text);
    else yield* event.tokens;
  }
}

/** The most probable token of text that is not forbidden. */
function bestText(
  distribution: ReadonlyMap<number, number>,
  vocabulary: Vocabulary<number>,
  forbidden: ReadonlySet<number>,
): number {
  const ranked = [...distribution].sort(([, a], [, b]) => b - a);
  for (const [token] of ranked) {
    if (!vocabulary.ending.has(token) && !forbidden.has(token)) return token;
  }
  throw new EngineFailure('broken', 'the remote engine offers no token of text');
}
