/**
 * The engine in this process, beyond what both-engines.test.ts asks of every engine. Nothing here
 * depends on how well the weights answer.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIFTY_THOUSAND_A } from '../../../test/support/adversarial-strings.ts';
import { loadEngine } from '../../src/engine/llama.ts';
import { normaliseText } from '../../src/engine/prompt.ts';
import type { Engine, GenerationEvent, GenerationRequest, Turn } from '../../src/engine/types.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from '../support/model.ts';

let engine: Engine;
const signal = new AbortController().signal;

beforeAll(async () => {
  engine = await loadEngine({
    modelPath: MODEL_PATH,
    sequences: 2,
    contextSize: CONTEXT_SIZE,
    threads: THREADS,
    gpu: false,
    warn: () => {},
  });
});
afterAll(() => engine.close());

const said = (text: string): Turn => ({ role: 'user', text: normaliseText(text), intent: 'any' });
const prompt = (turns: readonly Turn[], reserve = 64) => {
  const prepared = engine.prepare({ persona: engine.info.persona, turns, emotion: null }, reserve);
  if (!prepared.ok) throw new Error(prepared.failure.kind);
  return prepared.value;
};
const request = (more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  sampling: {
    temperature: 1,
    topP: 1,
    minP: 0,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repeatPenalty: 1,
    seed: 7,
  },
  maxTokens: 12,
  stop: [],
  intent: null,
  intentBias: {},
  deterministic: false,
  ...more,
});
const all = async (events: AsyncIterable<GenerationEvent>) => {
  const list: GenerationEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
};
const reply = async (turns: readonly Turn[], more: Partial<GenerationRequest> = {}) => {
  const events = await all(engine.generate(prompt(turns), request(more), signal));
  const [heads] = events;
  const end = events.at(-1);
  if (heads?.type !== 'heads' || end?.type !== 'end') throw new Error('events out of order');
  const text = events.map((event) => (event.type === 'heads' ? '' : event.text)).join('');
  return { heads, end, text };
};

describe('tokenising', () => {
  const fixture = z
    .object({ rows: z.array(z.object({ text: z.string(), ids: z.array(z.int()) })).min(40) })
    .parse(
      JSON.parse(
        readFileSync(new URL('../fixtures/tokenizer-parity.json', import.meta.url), 'utf8'),
      ),
    );

  it('T07 T08 gives the ids of the reference tokenizer for every adversarial string', () => {
    const tokensOf = (text: string) => prompt([{ role: 'user', text, intent: 'any' }]).tokens;
    const [x, y] = [tokensOf('x'), tokensOf('y')];
    const before = x.findIndex((id, index) => id !== y[index]);
    const after = x.length - before - 1;
    const encode = (text: string) => tokensOf(text).slice(before, -after);
    for (const { text, ids } of fixture.rows) expect(encode(text), text).toEqual(ids);
  });

  it('T06 50,000 letters without a space are read in time and cut to the newest part', () => {
    const { tokens, trimmedTurns } = prompt([said(FIFTY_THOUSAND_A)]);
    expect(tokens.length).toBeLessThanOrEqual(CONTEXT_SIZE - 64);
    expect(trimmedTurns).toBe(1);
  });
});

describe('heads', () => {
  it('are the same after the state of an earlier prompt was kept', async () => {
    const turns = [said('I won a prize and nobody came to see it.')];
    const first = await engine.readHeads(prompt(turns), signal);
    const again = await engine.readHeads(prompt(turns), signal);
    expect(again.emotions[0]?.label).toBe(first.emotions[0]?.label);
    expect(again.emotionMass).toBeCloseTo(first.emotionMass, 3);
  });
});

describe('a reply', () => {
  it('is never empty, even when its first token would be the end', async () => {
    for (let seed = 0; seed < 3; seed++) {
      const { text } = await reply([said('Bye.')], {
        sampling: { ...request().sampling, temperature: 2, seed },
        maxTokens: 3,
      });
      expect(text.length).toBeGreaterThan(0);
    }
  });

  it('keeps the state of the conversation for its next turn', async () => {
    const opening = said('I have been thinking about my grandmother all day.');
    const first = await reply([opening]);
    const next = await reply([
      opening,
      {
        role: 'assistant',
        text: normaliseText(first.text) || 'I see.',
        intent: first.heads.intent,
      },
      said('She taught me to swim.'),
    ]);
    expect(next.heads.reusedTokens).toBeGreaterThan(prompt([opening]).tokens.length - 4);
  });

  it('is the same when deterministic, whoever else is there', async () => {
    const turns = [said('Tell me about the sea, my mother loved it so much.')];
    const once = () => reply(turns, { deterministic: true, maxTokens: 16 });
    const alone = await once();
    const noise = () =>
      reply([said('Something else entirely, again and again.')], { maxTokens: 16 });
    const [crowded] = await Promise.all([once(), noise()]);
    expect(crowded).toEqual(alone);
  });

  it('G01 stops between the pieces of a long prompt', async () => {
    const control = new AbortController();
    const long = prompt([said('a b c d e f g '.repeat(60))]);
    const reading = engine.readHeads(long, control.signal);
    control.abort();
    await expect(reading).rejects.toThrow();
  });
});

describe('scores', () => {
  it('of several replies are those of each alone', async () => {
    const p = prompt([said('My dog died.')]);
    const replies = ['Oh no.', 'That is great news, congratulations to you both!', 'Oh no.'];
    const together = await engine.score(
      p,
      replies.map((text) => ({ text, intent: 'consoling' })),
      false,
      signal,
    );
    const [alone] = await engine.score(p, [{ text: 'Oh no.', intent: 'consoling' }], false, signal);
    for (const index of [0, 2]) {
      for (const [at, logprob] of (together[index]?.logprobs ?? []).entries()) {
        expect(logprob).toBeCloseTo(alone?.logprobs[at] ?? Number.NaN, 2);
      }
    }
  });

  it('are not changed by the judgement, in whatever place', async () => {
    const p = prompt([said('My dog died.')]);
    const replies = ['Oh no.', 'Oh no.'].map((text) => ({ text, intent: 'any' as const }));
    const plain = await engine.score(p, replies, false, signal);
    const judged = await engine.score(p, replies, true, signal);
    const [first, second] = judged.map(({ judge }) => judge);
    expect(first).not.toBeNull();
    expect(first).toBeCloseTo(second ?? Number.NaN, 2);
    expect(judged[1]?.logprobs[0]).toBeCloseTo(plain[1]?.logprobs[0] ?? Number.NaN, 2);
  });
});
