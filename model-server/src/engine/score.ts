/** Likelihood of given replies (perplexity, ranking). */
import type { Token } from 'node-llama-cpp';
import { LOG_ZERO, SCORE_CANDIDATES, SCORED_TOKENS_AT_ONCE } from '../constants.ts';
import type { HeadReading } from '../heads/types.ts';
import type { Lane } from './lane.ts';
import type { Slots } from './slots.ts';
import type { ReplyScore, ReplyToScore } from './types.ts';

/** A sequence that has just evaluated a prompt, and the replies to it. */
export interface ScoreWork {
  readonly lane: Lane;
  readonly slots: Slots<Token>;
  readonly replies: readonly {
    readonly tokens: readonly Token[];
    readonly intent: ReplyToScore['intent'];
  }[];
  readonly heads: HeadReading;
  readonly signal: AbortSignal;
}

/**
 * Score replies one after the other over the same prefix.
 * @returns per reply the natural log probabilities of its tokens and of the end token, over the
 *   unmasked vocabulary (see SCORE_CANDIDATES for the precision)
 * @throws the signal's reason between pieces
 */
export async function scoreReplies(work: ScoreWork): Promise<readonly ReplyScore[]> {
  const { lane, slots, heads, signal } = work;
  const prefix = lane.length;
  const scores: ReplyScore[] = [];
  for (const reply of work.replies) {
    const intent = reply.intent === 'predicted' ? (heads.intents[0]?.label ?? 'any') : reply.intent;
    const intentToken = slots.steering.get(intent);
    if (intentToken === undefined) throw new Error('an intent without a token');
    await lane.truncate(prefix);
    const tokens = [...reply.tokens, slots.imEnd];
    const logprobs = await logProbabilities(lane, [intentToken, ...reply.tokens], tokens, signal);
    scores.push({ intent, tokens, logprobs });
  }
  return scores;
}

/** Log probability of `targets[i]` after `inputs[0..i]`. */
async function logProbabilities(
  lane: Lane,
  inputs: readonly Token[],
  targets: readonly Token[],
  signal: AbortSignal,
): Promise<number[]> {
  const logprobs: number[] = [];
  for (let start = 0; start < inputs.length; start += SCORED_TOKENS_AT_ONCE) {
    signal.throwIfAborted();
    const piece = inputs.slice(start, start + SCORED_TOKENS_AT_ONCE);
    const wanted = targets.slice(start, start + SCORED_TOKENS_AT_ONCE);
    let found = await probabilities(lane, piece, wanted, SCORE_CANDIDATES);
    if (found.includes(undefined)) {
      await lane.truncate(lane.length - piece.length);
      found = await probabilities(lane, piece, wanted, 'all');
    }
    for (const probability of found) {
      logprobs.push(
        probability !== undefined && probability > 0 ? Math.log(probability) : LOG_ZERO,
      );
    }
  }
  return logprobs;
}

/** Probability of `targets[i]` after `inputs[0..i]`; undefined when it is not among the candidates. */
async function probabilities(
  lane: Lane,
  inputs: readonly Token[],
  targets: readonly Token[],
  candidates: number | 'all',
): Promise<(number | undefined)[]> {
  const distributions = await lane.read(inputs, [...inputs.keys()], candidates);
  return distributions.map((distribution, index) => {
    const target = targets[index];
    return target === undefined ? undefined : distribution.get(target);
  });
}
