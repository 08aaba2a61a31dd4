/** The heads of the model at their slots, read from a sequence. */
import type { Token } from 'node-llama-cpp';
import { HEAD_CANDIDATES, LOG_ZERO } from '../constants.ts';
import { readHead } from '../heads/read.ts';
import type { HeadReading } from '../heads/types.ts';
import type { Ask, Lane } from './lane.ts';
import type { LogProbabilities } from './row-reader.ts';
import type { Slots } from './slots.ts';

/**
 * Evaluate the end of a prompt and read emotion and intent.
 * @param tokens up to `<|intent|>`
 * @param affectAt index of `<|affect|>` in them
 * @param labels the heads' tokens
 */
export async function readHeads(
  lane: Lane,
  tokens: readonly Token[],
  affectAt: number,
  labels: Pick<Slots<Token>, 'emotions' | 'intents'>,
): Promise<HeadReading> {
  const [atAffect, atIntent] = await lane.read(tokens, [
    ask(affectAt, [...labels.emotions.values()]),
    ask(tokens.length - 1, [...labels.intents.values()]),
  ]);
  if (atAffect === undefined || atIntent === undefined) throw new Error('the engine read no heads');
  const emotions = readHead(probabilities(atAffect), labels.emotions);
  const intents = readHead(probabilities(atIntent), labels.intents);
  return {
    emotions: emotions.ranked,
    intents: intents.ranked,
    emotionMass: emotions.mass,
    intentMass: intents.mass,
  };
}

/** What to ask for at the judge slot, the token at an index. */
export function askJudge(at: number, slots: Pick<Slots<Token>, 'good' | 'bad'>): Ask {
  return ask(at, [slots.good, slots.bad]);
}

/** Probabilities from their logarithms; LOG_ZERO is 0. */
export function probabilities(logs: LogProbabilities): ReadonlyMap<number, number> {
  return new Map([...logs].map(([token, log]) => [token, log > LOG_ZERO ? Math.exp(log) : 0]));
}

function ask(at: number, wanted: readonly Token[]): Ask {
  return { at, wanted, candidates: HEAD_CANDIDATES };
}
