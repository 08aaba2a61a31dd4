/** Likelihood of given replies (perplexity, ranking). */
import type { Token } from 'node-llama-cpp';
import { LOG_ZERO, SCORE_CANDIDATES, SCORED_TOKENS_AT_ONCE } from '../constants.ts';
import { judgeLogOdds } from '../heads/read.ts';
import type { HeadReading } from '../heads/types.ts';
import type { Lane } from './lane.ts';
import { askJudge, probabilities } from './read-slots.ts';
import type { Slots } from './slots.ts';
import type { ReplyScore, ReplyToScore } from './types.ts';

/** A sequence that has just evaluated a prompt, and the replies to it. */
export interface ScoreWork {
  readonly lane: Lane;
  readonly slots: Slots<Token>;
  readonly replies: readonly ReplyToScore[];
  /** Called for one reply after the other, so that tokenising many never holds the thread for long. */
  readonly encode: (text: string) => readonly Token[];
  readonly heads: HeadReading;
  /** Whether the judge slot is read after each reply. */
  readonly judge: boolean;
  readonly signal: AbortSignal;
}

/**
 * Score replies one after the other over the same prefix.
 * @returns per reply the natural log probabilities of its tokens and of the end token, over the
 *   unmasked vocabulary (see SCORE_CANDIDATES for the precision)
 * @throws the signal's reason between pieces
 */
export async function scoreReplies(work: ScoreWork): Promise<readonly ReplyScore[]> {
  const { lane, slots, heads } = work;
  const prefix = lane.length;
  const scores: ReplyScore[] = [];
  for (const reply of work.replies) {
    const intent = reply.intent === 'predicted' ? (heads.intents[0]?.label ?? 'any') : reply.intent;
    const intentToken = slots.steering.get(intent);
    if (intentToken === undefined) throw new Error('an intent without a token');
    lane.truncate(prefix);
    scores.push({ intent, ...(await scoreReply(work, intentToken, work.encode(reply.text))) });
  }
  return scores;
}

/** One reply behind the prompt and its intent. */
async function scoreReply(
  work: ScoreWork,
  intentToken: Token,
  reply: readonly Token[],
): Promise<Omit<ReplyScore, 'intent'>> {
  const { lane, slots, signal } = work;
  const targets = [...reply, slots.imEnd];
  // Each token is the target of the one before it; the judge stands behind the end token.
  const inputs = [intentToken, ...reply, ...(work.judge ? [slots.imEnd, slots.judge] : [])];
  const logprobs: number[] = [];
  let judge: number | null = null;
  for (let start = 0; start < inputs.length; start += SCORED_TOKENS_AT_ONCE) {
    signal.throwIfAborted();
    const piece = inputs.slice(start, start + SCORED_TOKENS_AT_ONCE);
    const wanted = targets.slice(start, start + SCORED_TOKENS_AT_ONCE);
    const asks = wanted.map((target, at) => ({
      at,
      wanted: [target],
      candidates: SCORE_CANDIDATES,
    }));
    const judged = work.judge && start + piece.length === inputs.length;
    const found = await lane.read(
      piece,
      judged ? [...asks, askJudge(piece.length - 1, slots)] : asks,
    );
    for (const [at, target] of wanted.entries()) logprobs.push(found[at]?.get(target) ?? LOG_ZERO);
    const atJudge = judged ? found.at(-1) : undefined;
    if (atJudge !== undefined) judge = judgeLogOdds(probabilities(atJudge), slots);
  }
  return { tokens: targets, logprobs, judge };
}
