/** Both heads of a prompt from a remote model. */
import { readHead } from '../../heads/read.ts';
import type { HeadReading, Ranked } from '../../heads/types.ts';
import type { Intent, Slots } from '../slots.ts';
import type { Prompt } from '../types.ts';
import { withFloor } from './floor.ts';
import type { RemoteModel } from './remote-model.ts';

/** Emotion and intent at one prompt, and how much of it the server still had. */
export interface ReadRemotely {
  readonly heads: HeadReading;
  /** The intents as a choice takes them: an unlisted one is improbable, not impossible. */
  readonly intents: readonly Ranked<Intent>[];
  readonly reusedTokens: number;
}

/**
 * Two requests, one after the other: the second finds the state of the first. A label outside of
 * the likeliest tokens that a server tells counts as 0, which with heads trained to hold 0.99 of the
 * distribution changes no probability by more than their missing mass.
 * @param fresh no state of an earlier request is used
 */
export async function readHeadsRemotely(
  model: RemoteModel,
  slots: Slots<number>,
  prompt: Prompt,
  signal: AbortSignal,
  fresh = false,
): Promise<ReadRemotely> {
  const upToAffect = prompt.tokens.slice(0, prompt.affectIndex + 1);
  const atAffect = await model.read(upToAffect, signal, fresh);
  const atIntent = await model.read(prompt.tokens, signal, fresh);
  const emotions = readHead(atAffect.distribution, slots.emotions);
  const intents = readHead(atIntent.distribution, slots.intents);
  return {
    reusedTokens: atAffect.reusedTokens,
    intents: withFloor(intents, atIntent.distribution),
    heads: {
      emotions: emotions.ranked,
      intents: intents.ranked,
      emotionMass: emotions.mass,
      intentMass: intents.mass,
    },
  };
}
