/** Likelihood of given replies by a remote model that echoes prompts with log probabilities. */
import { LOG_ZERO } from '../../constants.ts';
import { judgeLogOdds } from '../../heads/read.ts';
import type { HeadReading } from '../../heads/types.ts';
import type { Slots } from '../slots.ts';
import type { Prompt, ReplyScore, ReplyToScore } from '../types.ts';
import { judgeDistribution } from './floor.ts';
import type { RemoteModel } from './remote-model.ts';

/** A prompt and the replies to it. */
export interface RemoteScoring {
  readonly model: RemoteModel;
  readonly slots: Slots<number>;
  readonly prompt: Prompt;
  readonly replies: readonly {
    readonly tokens: readonly number[];
    readonly intent: ReplyToScore['intent'];
  }[];
  /** Read when a reply is scored under the predicted intent. */
  readonly heads: () => Promise<HeadReading>;
  /** Whether the judge slot is read after each reply. */
  readonly judge: boolean;
  readonly signal: AbortSignal;
}

/** See {@link Engine.score}. One request per reply, one after the other, and one more for the judge. */
export async function scoreRemotely(work: RemoteScoring): Promise<readonly ReplyScore[]> {
  const { model, slots, prompt, signal } = work;
  let heads: HeadReading | null = null;
  const scores: ReplyScore[] = [];
  for (const reply of work.replies) {
    if (reply.intent === 'predicted') heads ??= await work.heads();
    const intent =
      reply.intent === 'predicted' ? (heads?.intents[0]?.label ?? 'any') : reply.intent;
    const intentToken = slots.steering.get(intent);
    if (intentToken === undefined) throw new Error('an intent without a token');
    const opening = [...prompt.tokens, intentToken];
    const tokens = [...reply.tokens, slots.imEnd];
    const whole = [...opening, ...tokens];
    const logprobs = await model.score(whole, opening.length, signal);
    const judged = work.judge ? await model.read([...whole, slots.judge], signal) : null;
    scores.push({
      intent,
      tokens,
      logprobs: logprobs.map((logprob) => Math.max(logprob, LOG_ZERO)),
      judge:
        judged === null ? null : judgeLogOdds(judgeDistribution(judged.distribution, slots), slots),
    });
  }
  return scores;
}
