/** What the routes that score given replies have in common. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { CHARACTERS_PER_TOKEN } from '../constants.ts';
import { normaliseText } from '../engine/prompt.ts';
import type { Engine } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import { engineOf, type ServerContext } from './context.ts';
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

/**
 * Normalise and count replies; none may be empty or longer than half of the context. Tokenising holds
 * the thread that every stream needs, so what cannot fit is not tokenised, and others have their turn
 * between two texts.
 * @returns also a failure when a stop began meanwhile
 */
export async function countReplies(
  context: ServerContext,
  engine: Engine,
  replies: readonly GivenReply[],
): Promise<Result<CountedReplies, Failure>> {
  const limit = Math.floor(engine.info.contextSize / 2);
  const texts: string[] = [];
  let longest = 0;
  for (const [index, { text: given, param }] of replies.entries()) {
    if (index > 0) {
      await othersTurn();
      const still = engineOf(context);
      if (!still.ok) return still;
    }
    const text = normaliseText(given);
    if (text === '') return failed({ kind: 'invalid_value', param, message: `${param} is empty.` });
    if (text.length > limit * CHARACTERS_PER_TOKEN) {
      return tooLong(param, `has more than ${limit} tokens`, limit);
    }
    const tokens = engine.countReply(text);
    if (tokens > limit) return tooLong(param, `has ${tokens} tokens with its end`, limit);
    texts.push(text);
    longest = Math.max(longest, tokens);
  }
  return success({ texts, longest });
}

function tooLong(param: string, what: string, limit: number): Result<never, Failure> {
  const message = `${param} ${what}; at most ${limit} fit.`;
  return failed({ kind: 'context_length_exceeded', param, message });
}
