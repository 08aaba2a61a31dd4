/**
 * One reply from a remote model: intent token, streamed tokens, judge. Text, stop strings and the
 * guard against repetition are made here from token ids, so that they are those of the in-process
 * engine whatever the server does with texts.
 */
import { NO_REPEAT_NGRAM } from '../../constants.ts';
import { chooseIntent } from '../../heads/choose-intent.ts';
import { readJudge } from '../../heads/read.ts';
import type { HeadReading } from '../../heads/types.ts';
import { EngineFailure } from '../failure.ts';
import { RepetitionGuard } from '../repetition.ts';
import { StopFilter } from '../stop-filter.ts';
import { TextAssembler } from '../text-assembler.ts';
import type { GenerationEvent, GenerationRequest, Prompt } from '../types.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { RemoteModel } from './remote-model.ts';
import type { TokenIds } from './requests.ts';

/** A prompt whose heads were read, and what to do with it. */
export interface RemoteReply {
  readonly model: RemoteModel;
  readonly vocabulary: Vocabulary<number>;
  readonly tokenIds: TokenIds;
  readonly prompt: Prompt;
  readonly heads: HeadReading;
  readonly reusedTokens: number;
  readonly request: GenerationRequest;
  readonly signal: AbortSignal;
}

/** See {@link Engine.generate}. */
export async function* generateRemotely(
  work: RemoteReply,
): AsyncGenerator<GenerationEvent, void, void> {
  const { model, vocabulary, request, heads, signal } = work;
  const { slots, ending, textOf } = vocabulary;
  const intent = chooseIntent(heads.intents, request.intent, request.intentBias);
  const intentToken = slots.steering.get(intent);
  if (intentToken === undefined) throw new Error('an intent without a token');
  const opening = [...work.prompt.tokens, intentToken];
  yield {
    type: 'heads',
    heads,
    intent,
    promptTokens: opening.length,
    reusedTokens: work.reusedTokens,
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
  const behind = [...opening, ...said, slots.imEnd, slots.judge];
  const judged = ended ? await model.read(behind, signal, request.deterministic) : null;
  yield {
    type: 'end',
    text: stopped ? '' : filter.end(),
    finishReason: ended || stopped ? 'stop' : 'length',
    completionTokens: said.length + (ended ? 1 : 0),
    responseScore: judged === null ? null : readJudge(judged.distribution, slots),
  };
}

/** An end that the server did not name by its token. */
const END = -1;

/**
 * Tokens of the reply, its end included. A token that may not stand there (the end as the first one,
 * the last of a run said before) is thrown away with all that follows, and drawn again from the rest
 * of the distribution; then a new stream goes on behind it. That is what masking it does, which no
 * common protocol can do in between; only top-p and min-p have cut before the token was thrown away.
 */
async function* replyTokens(
  work: RemoteReply,
  opening: readonly number[],
): AsyncGenerator<number, void, void> {
  const { vocabulary, request } = work;
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
      const ends = token === END || vocabulary.ending.has(token);
      refused = ends ? said.length === 0 : guard.blocked().includes(token);
      if (refused) break;
      yield keep(token);
      if (ends) return;
    }
    if (!refused) return;
    const token = await drawAgain(work, [...opening, ...said], said.length, guard.blocked());
    yield keep(token);
    if (token === END || vocabulary.ending.has(token)) return;
  }
}

/** A token in place of a refused one. The first of a reply is the likeliest text, as in-process. */
async function drawAgain(
  work: RemoteReply,
  prompt: readonly number[],
  said: number,
  blocked: readonly number[],
): Promise<number> {
  if (said > 0) {
    for await (const token of oneStream(work, prompt, said, { blocked, maxTokens: 1 })) {
      if (!blocked.includes(token)) return token;
      // A server that ignores `logit_bias`.
      break;
    }
  }
  const { distribution } = await work.model.read(prompt, work.signal);
  return bestText(distribution, work.vocabulary, new Set(blocked));
}

/** One stream of up to all tokens that are left; `END` when it stopped without an end token. */
async function* oneStream(
  work: RemoteReply,
  prompt: readonly number[],
  said: number,
  only: { readonly blocked: readonly number[]; readonly maxTokens: number } | null = null,
): AsyncGenerator<number, void, void> {
  const { vocabulary, request } = work;
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
    if (event.type === 'token') yield event.token;
    else if (event.finishReason === 'stop') yield END;
  }
}

/** The most probable token of text that is not forbidden. */
function bestText(
  distribution: ReadonlyMap<number, number>,
  vocabulary: Vocabulary<number>,
  forbidden: ReadonlySet<number>,
): number {
  const masked = new Set(vocabulary.masked);
  const ranked = [...distribution].sort(([, a], [, b]) => b - a);
  for (const [token] of ranked) {
    if (!masked.has(token) && !vocabulary.ending.has(token) && !forbidden.has(token)) return token;
  }
  throw new EngineFailure('broken', 'the remote engine offers no token of text');
}
