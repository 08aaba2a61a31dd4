/**
 * Eight sequences in shared batches. When the rows of a batch were read from several threads at
 * once, a sequence now and then got the distribution of another one (docs/decisions).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEngine } from '../../src/engine/llama.ts';
import type { Engine, GenerationEvent, Prompt } from '../../src/engine/types.ts';
import type { HeadReading } from '../../src/heads/types.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from '../support/model.ts';

const TEXTS = [
  'My dog died yesterday and the house is quiet.',
  'I passed my exam with the best mark of the class!',
  'My neighbour plays loud music every single night.',
  'I found my old school diary in the attic.',
  'My sister has not called me for months.',
  'I am moving to another city next week.',
  'My boss praised me in front of everyone today.',
  'I broke my favourite cup this morning.',
];
const REPLY = 'I am so sorry to hear that. What happened then?';
const TIMES = 10;
const ROUNDS = 2;
/** Some 500 tokens, on a busy machine. */
const PATIENCE_MS = 240_000;
/** Batches of another shape change the last bits; another sequence's row is off by whole nats. */
const ROUNDING = 0.1;

let engine: Engine;
const signal = new AbortController().signal;

beforeAll(async () => {
  engine = await loadEngine({
    modelPath: MODEL_PATH,
    sequences: TEXTS.length,
    contextSize: CONTEXT_SIZE,
    threads: THREADS,
    gpu: false,
    warn: () => {},
  });
});
afterAll(() => engine.close());

function promptOf(text: string): Prompt {
  const turns = [{ role: 'user', text, intent: 'any' }] as const;
  const prepared = engine.prepare({ persona: 'Be kind.', turns, emotion: null }, 64);
  if (!prepared.ok) throw new Error(prepared.failure.kind);
  return prepared.value;
}

async function scores(text: string, reply: string): Promise<number[]> {
  const replies = [{ text: reply, intent: 'any' }] as const;
  const scored = await engine.score(promptOf(text), replies, true, signal);
  return scored.flatMap(({ logprobs, judge }) => [...logprobs, judge ?? 0]);
}

async function reply(text: string, deterministic: boolean): Promise<GenerationEvent[]> {
  const events: GenerationEvent[] = [];
  const sampling = {
    temperature: 1,
    topP: 1,
    minP: 0,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repeatPenalty: 1,
    seed: 7,
  };
  const request = {
    sampling,
    maxTokens: 8,
    stop: [],
    intent: null,
    intentBias: {},
    deterministic,
  };
  for await (const event of engine.generate(promptOf(text), request, signal)) events.push(event);
  return events;
}

/** Probabilities of the emotions in alphabetical order, and the shares of both heads. */
function numbersOf(heads: HeadReading): number[] {
  const labels = heads.emotions.toSorted((a, b) => (a.label < b.label ? -1 : 1));
  return [...labels.map(({ probability }) => probability), heads.emotionMass, heads.intentMass];
}

function largestDifference(a: readonly number[], b: readonly number[]): number {
  expect(a).toHaveLength(b.length);
  return Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? Number.NaN))));
}

describe('sequences that are served at the same time', () => {
  it(
    'never see the probabilities of one another',
    async () => {
      // Jobs of different lengths, over and over: llama.cpp evaluates what they have more than the
      // shortest one in further parts, so the rows of nearly every batch come out of order.
      const read = async (text: string, index: number) =>
        index % 2 === 0
          ? numbersOf(await engine.readHeads(promptOf(text), signal))
          : await scores(text, 'Oh no.');
      const alone: number[][] = [];
      for (const [index, text] of TEXTS.entries()) alone.push(await read(text, index));
      const work = TEXTS.map(async (text, index) => {
        for (let time = 0; time < TIMES; time++) {
          const difference = largestDifference(await read(text, index), alone[index] ?? []);
          expect(difference).toBeLessThan(ROUNDING);
        }
      });
      await Promise.all(work);
    },
    PATIENCE_MS,
  );

  it(
    'nor when heads, scores, replies and deterministic replies are mixed',
    async () => {
      const alone: { scores: number[]; heads: number[]; reply: GenerationEvent[] }[] = [];
      for (const text of TEXTS) {
        alone.push({
          scores: await scores(text, REPLY),
          heads: numbersOf(await engine.readHeads(promptOf(text), signal)),
          reply: await reply(text, true),
        });
      }
      for (let round = 0; round < ROUNDS; round++) {
        const work = TEXTS.map(async (text, index) => {
          const expected = alone[index];
          if (expected === undefined) throw new Error('not measured alone');
          switch ((index + round) % 4) {
            case 0:
            case 1:
              return expect(
                largestDifference(await scores(text, REPLY), expected.scores),
              ).toBeLessThan(ROUNDING);
            case 2: {
              // Its own draws mix replies into the others' batches; the heads before it are compared.
              const [heads] = await reply(text, false);
              if (heads?.type !== 'heads') throw new Error('no heads');
              const difference = largestDifference(numbersOf(heads.heads), expected.heads);
              return expect(difference).toBeLessThan(ROUNDING);
            }
            default:
              return expect(await reply(text, true)).toEqual(expected.reply);
          }
        });
        await Promise.all(work);
      }
    },
    PATIENCE_MS,
  );
});
