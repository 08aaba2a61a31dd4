/** Asking the Worker and the model server what they read in conversations. */
import { z } from 'zod';
import { EMOTIONS, type Emotion } from '../src/affect/emotions.ts';
import { FAMILIES, type Groups, groupsOf } from '../src/affect/groups.ts';
import { type Cause, SCORES, type ScoreValues } from '../src/affect/types.ts';
import { MAX_EMOTION_BATCH, MAX_EMOTION_MESSAGES } from '../src/limits.ts';
import { postJson, type Served } from './serve.ts';

/** One message as the API takes it. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Names of a reading's numbers. */
export const DIMENSIONS = SCORES;

/** Where a word behind the feeling stands. */
export type CausePlace = Pick<Cause, 'message' | 'start' | 'end'>;

/** What was read in one conversation. */
export interface Reading {
  /** One per entry of `EMOTIONS`, same order. */
  readonly probabilities: readonly number[];
  readonly groups: Groups;
  readonly abstained: boolean;
  /** Most salient first. */
  readonly causes: readonly CausePlace[];
  readonly dimensions: ScoreValues;
}

/** One reading per conversation, in the same order; takes any number of conversations. */
export type Read = (conversations: readonly (readonly Message[])[]) => Promise<Reading[]>;

/** The newest messages that the API takes. A blank one takes no part in any input and is refused. */
export function asRequest(messages: readonly Message[]): Message[] {
  return messages.filter(({ content }) => content.trim() !== '').slice(-MAX_EMOTION_MESSAGES);
}

const ranked = z.array(z.object({ label: z.enum(EMOTIONS), probability: z.number() }));
const score = z.number().nullable();
const reading = z.object({
  emotions: ranked,
  groups: z.object({
    families: z.array(z.object({ family: z.enum(FAMILIES), probability: z.number() })),
    polarity: z.object({ positive: z.number(), negative: z.number(), neutral: z.number() }),
  }),
  abstained: z.boolean(),
  causes: z.array(z.object({ message: z.int(), start: z.int(), end: z.int() })),
  valence: score,
  arousal: score,
  dominance: score,
  intensity: score,
  distress: score,
  concern: score,
  self_disclosure: score,
});
const serverAnswer = z.object({ emotions: ranked });

/**
 * Asks the Worker, a full batch per request: one result per conversation, in order.
 * @param result what is looked at in a result of `POST /v1/emotions`
 * @throws when the Worker does not answer, and when a result is missing or is not like `result`
 */
export async function askBatches<T>(
  served: Served,
  conversations: readonly (readonly Message[])[],
  result: z.ZodType<T>,
): Promise<T[]> {
  const answer = z.object({ results: z.array(result) });
  const found: T[] = [];
  for (let start = 0; start < conversations.length; start += MAX_EMOTION_BATCH) {
    const batch = conversations
      .slice(start, start + MAX_EMOTION_BATCH)
      .map((messages) => ({ messages }));
    const { results } = answer.parse(await postJson<unknown>(served, '/v1/emotions', { batch }));
    if (results.length !== batch.length) throw new Error('not one reading a conversation');
    found.push(...results);
  }
  return found;
}

/** Asks the Worker. */
export function askEdge(served: Served): Read {
  return async function readAtTheEdge(conversations) {
    const results = await askBatches(served, conversations, reading);
    return results.map(({ emotions, groups, abstained, causes, ...dimensions }) => ({
      probabilities: inLabelOrder(emotions),
      groups,
      abstained,
      causes,
      dimensions,
    }));
  };
}

/** Asks the model server, a conversation per request; it gives emotions and never abstains. */
export function askServer(served: Served): Read {
  return async function readAtTheServer(conversations) {
    const readings: Reading[] = [];
    for (const messages of conversations) {
      const answer = await postJson<unknown>(served, '/v1/affect', { messages });
      readings.push(emotionsOnly(inLabelOrder(serverAnswer.parse(answer).emotions)));
    }
    return readings;
  };
}

/** A reading of someone who tells emotions apart and nothing else. */
export function emotionsOnly(probabilities: readonly number[]): Reading {
  return {
    probabilities,
    groups: groupsOf(probabilities),
    abstained: false,
    causes: [],
    dimensions: {
      valence: null,
      arousal: null,
      dominance: null,
      intensity: null,
      distress: null,
      concern: null,
      self_disclosure: null,
    },
  };
}

/** Probabilities in the order of `EMOTIONS`, from a ranked list; a missing label counts as 0. */
export function inLabelOrder(
  emotions: readonly { readonly label: Emotion; readonly probability: number }[],
): number[] {
  const byLabel = new Map(emotions.map(({ label, probability }) => [label, probability]));
  return EMOTIONS.map((label) => byLabel.get(label) ?? 0);
}
