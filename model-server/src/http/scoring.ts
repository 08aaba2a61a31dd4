/** What the routes that score given replies have in common. */
import { normaliseText } from '../engine/prompt.ts';
import type { Engine } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';

/** A given reply and where it stands in the request. */
export interface GivenReply {
  readonly text: string;
  readonly param: string;
}

/** Normalised replies, and how many tokens the longest has with its end. */
export interface CountedReplies {
  readonly texts: readonly string[];
  readonly longest: number;
}

/** Whether the engine scores at all: a remote one may not tell probabilities of given tokens. */
export function refuseWithoutScoring(engine: Engine): Failure | null {
  if (engine.info.scoring) return null;
  const message =
    'The engine behind this server does not tell the probabilities of given texts, so it cannot score or rank.';
  return { kind: 'not_supported', param: null, message };
}

/** Normalise and count replies; none may be empty or longer than half of the context. */
export function countReplies(
  engine: Engine,
  replies: readonly GivenReply[],
): Result<CountedReplies, Failure> {
  const limit = Math.floor(engine.info.contextSize / 2);
  const texts: string[] = [];
  let longest = 0;
  for (const { text: given, param } of replies) {
    const text = normaliseText(given);
    if (text === '') return failed({ kind: 'invalid_value', param, message: `${param} is empty.` });
    const tokens = engine.countReply(text);
    if (tokens > limit) {
      const message = `${param} has ${tokens} tokens with its end; at most ${limit} fit.`;
      return failed({ kind: 'context_length_exceeded', param, message });
    }
    texts.push(text);
    longest = Math.max(longest, tokens);
  }
  return success({ texts, longest });
}
