/** Conversations that take turns on as many sequences: each finds its own state again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEngine } from '../../src/engine/llama.ts';
import { normaliseText } from '../../src/engine/prompt.ts';
import type { Engine, GenerationEvent, Prompt, Turn } from '../../src/engine/types.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from '../support/model.ts';

const SEQUENCES = 8;
/** Some thirty replies, on a busy machine. */
const PATIENCE_MS = 240_000;
const OPENINGS = [
  'I have been thinking about my grandmother all day.',
  'I have been thinking about my exam all day.',
  'My sister has not called me for months.',
  'My brother has not called me for months.',
  'I am moving to another city next week.',
  'I am moving in with my girlfriend next week.',
  'Someone stole my bicycle this morning.',
  'Someone paid for my coffee this morning.',
];

let engine: Engine;
const signal = new AbortController().signal;

beforeAll(async () => {
  engine = await loadEngine({
    modelPath: MODEL_PATH,
    sequences: SEQUENCES,
    contextSize: CONTEXT_SIZE,
    threads: THREADS,
    gpu: false,
    warn: () => {},
  });
});
afterAll(() => engine.close());

const said = (text: string): Turn => ({ role: 'user', text: normaliseText(text), intent: 'any' });

function promptOf(turns: readonly Turn[]): Prompt {
  const prepared = engine.prepare({ persona: 'Be kind.', turns, emotion: null }, 64);
  if (!prepared.ok) throw new Error(prepared.failure.kind);
  return prepared.value;
}

/** A reply as a turn of the conversation, and the prompt tokens that were not evaluated again. */
async function reply(turns: readonly Turn[]): Promise<{ turn: Turn; reusedTokens: number }> {
  const events: GenerationEvent[] = [];
  const sampling = {
    temperature: 0.7,
    topP: 0.9,
    minP: 0.05,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repeatPenalty: 1,
    seed: 3,
  };
  const request = {
    sampling,
    maxTokens: 3,
    stop: [],
    intent: null,
    intentBias: {},
    deterministic: false,
  };
  for await (const event of engine.generate(promptOf(turns), request, signal)) events.push(event);
  const [heads] = events;
  if (heads?.type !== 'heads') throw new Error('no heads');
  const text = events.map((event) => (event.type === 'heads' ? '' : event.text)).join('');
  const turn: Turn = {
    role: 'assistant',
    text: normaliseText(text) || 'I see.',
    intent: heads.intent,
  };
  return { turn, reusedTokens: heads.reusedTokens };
}

describe('as many conversations as sequences', () => {
  it(
    'each find the state of their last turn, although the others were served in between',
    async () => {
      const firsts = await Promise.all(
        OPENINGS.map(async (text) => {
          const turns = [said(text)];
          return {
            turns: [...turns, (await reply(turns)).turn],
            length: promptOf(turns).affectIndex,
          };
        }),
      );
      // One after the other and in another order, so that every sequence was idle for a while.
      for (const { turns, length } of firsts.toReversed()) {
        const { reusedTokens } = await reply([...turns, said('She taught me to swim.')]);
        expect(reusedTokens).toBeGreaterThanOrEqual(length);
      }
    },
    PATIENCE_MS,
  );

  it(
    'a new conversation takes the place of the one that was idle for longest',
    async () => {
      const turns: Turn[][] = [];
      for (const text of OPENINGS) {
        const opening = [said(`${text} Again.`)];
        turns.push([...opening, (await reply(opening)).turn, said('Yes.')]);
      }
      await reply([said('Nobody has said this before.')]);
      const [oldest, ...others] = turns;
      for (const conversation of others) {
        const opening = promptOf(conversation.slice(0, 1)).affectIndex;
        expect((await reply(conversation)).reusedTokens).toBeGreaterThanOrEqual(opening);
      }
      const gone = oldest ?? [];
      const opening = promptOf(gone.slice(0, 1)).affectIndex;
      expect((await reply(gone)).reusedTokens).toBeLessThan(opening);
    },
    PATIENCE_MS,
  );
});
