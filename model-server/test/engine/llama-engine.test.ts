/** The engine on real weights. Nothing here depends on how well they answer. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CONTROL_STRINGS, FIFTY_THOUSAND_A } from '../../../test/support/adversarial-strings.ts';
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

  it('T08 no control string of a user becomes a control token', () => {
    const frame = prompt([said('x')]).tokens;
    const control = new Set(frame.filter((id) => id <= 2 || id >= 49_152));
    const count = (ids: readonly number[]) => ids.filter((id) => id <= 16 || id >= 49_152).length;
    for (const text of CONTROL_STRINGS) {
      const { tokens } = prompt([said(text)]);
      expect(count(tokens), text).toBe(count(frame));
      expect(new Set(tokens.filter((id) => id <= 2 || id >= 49_152))).toEqual(control);
    }
  });

  it('T06 50,000 letters without a space are read in time and cut to the newest part', () => {
    const { tokens, trimmedTurns } = prompt([said(FIFTY_THOUSAND_A)]);
    expect(tokens.length).toBeLessThanOrEqual(CONTEXT_SIZE - 64);
    expect(trimmedTurns).toBe(1);
  });
});

describe('heads', () => {
  it('rank all labels, each head summing to one, with its share of the distribution', async () => {
    const heads = await engine.readHeads(prompt([said('I lost my dog today.')]), signal);
    expect(heads.emotions).toHaveLength(32);
    expect(heads.intents).toHaveLength(9);
    for (const ranked of [heads.emotions, heads.intents]) {
      const values = ranked.map(({ probability }) => probability);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
      expect(values.toSorted((a, b) => b - a)).toEqual(values);
    }
    for (const mass of [heads.emotionMass, heads.intentMass]) {
      expect(mass).toBeGreaterThan(0);
      expect(mass).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  it('are the same after the state of an earlier prompt was kept', async () => {
    const turns = [said('I won a prize and nobody came to see it.')];
    const first = await engine.readHeads(prompt(turns), signal);
    const again = await engine.readHeads(prompt(turns), signal);
    expect(again.emotions[0]?.label).toBe(first.emotions[0]?.label);
    expect(again.emotionMass).toBeCloseTo(first.emotionMass, 3);
  });
});

describe('a reply', () => {
  it('is preceded by the heads and uses the most probable intent', async () => {
    const { heads, end, text } = await reply([said('My exam is tomorrow.')]);
    expect(heads.intent).toBe(heads.heads.intents[0]?.label);
    expect(end.completionTokens).toBeGreaterThan(0);
    expect(text).not.toMatch(/<\|[a-z_:]+\|>/);
  });

  it('is never empty, even when its first token would be the end', async () => {
    for (let seed = 0; seed < 3; seed++) {
      const { text } = await reply([said('Bye.')], {
        sampling: { ...request().sampling, temperature: 2, seed },
        maxTokens: 3,
      });
      expect(text.length).toBeGreaterThan(0);
    }
  });

  it('is judged only when the model ended it', async () => {
    const { end } = await reply([said('Hello.')], { maxTokens: 1 });
    expect(end).toMatchObject({ finishReason: 'length', completionTokens: 1, responseScore: null });
  });

  it('obeys a forced intent and a bias', async () => {
    const turns = [said('I do not know what to do.')];
    expect((await reply(turns, { intent: 'any', maxTokens: 1 })).heads.intent).toBe('any');
    expect((await reply(turns, { intentBias: { wishing: 100 }, maxTokens: 1 })).heads.intent).toBe(
      'wishing',
    );
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

  it('says no run of six tokens of an earlier reply again', async () => {
    const greedy = { intent: 'any', sampling: { ...request().sampling, temperature: 0 } } as const;
    const question = said('I failed my exam and I do not know how to tell my parents.');
    const tokensOf = (text: string) =>
      prompt([{ role: 'assistant', text, intent: 'any' }]).replies[0] ?? [];
    const runs = (tokens: readonly number[]) =>
      tokens.slice(5).map((_, index) => tokens.slice(index, index + 6).join(' '));
    const first = normaliseText((await reply([question], greedy)).text);
    const earlier: Turn = { role: 'assistant', text: first, intent: 'any' };
    const second = await reply([said('Hello.'), earlier, question], greedy);
    const known = new Set(runs(tokensOf(first)));
    expect(runs(tokensOf(normaliseText(second.text))).filter((run) => known.has(run))).toEqual([]);
  });

  it('is exactly reproduced by its seed when deterministic, whoever else is there', async () => {
    const turns = [said('Tell me about the sea, my mother loved it so much.')];
    const once = () => reply(turns, { deterministic: true, maxTokens: 16 });
    const alone = await once();
    const noise = () =>
      reply([said('Something else entirely, again and again.')], { maxTokens: 16 });
    const [crowded] = await Promise.all([once(), noise()]);
    const other = await reply(turns, {
      deterministic: true,
      sampling: { ...request().sampling, seed: 8 },
      maxTokens: 16,
    });
    expect(crowded).toEqual(alone);
    expect(alone.heads.reusedTokens).toBe(0);
    expect(other.text).not.toBe(alone.text);
  });

  it('G01 stops within one token of an abort, and the sequence is free', async () => {
    const control = new AbortController();
    let tokens = 0;
    const run = async () => {
      const events = engine.generate(
        prompt([said('Talk to me.')]),
        request({ maxTokens: 64 }),
        control.signal,
      );
      for await (const event of events) {
        if (event.type !== 'token') continue;
        tokens++;
        control.abort();
      }
    };
    await expect(run()).rejects.toThrow();
    expect(tokens).toBe(1);
    await Promise.all([
      reply([said('One.')], { maxTokens: 1 }),
      reply([said('Two.')], { maxTokens: 1 }),
    ]);
  });

  it('G01 stops between the pieces of a long prompt', async () => {
    const control = new AbortController();
    const long = prompt([said('a b c d e f g '.repeat(60))]);
    const reading = engine.readHeads(long, control.signal);
    control.abort();
    await expect(reading).rejects.toThrow();
  });

  it('a consumer that stops reading frees the sequence', async () => {
    for (let round = 0; round < 3; round++) {
      for await (const event of engine.generate(prompt([said('Go on.')]), request(), signal)) {
        if (event.type === 'token') break;
      }
    }
    expect((await reply([said('Again.')], { maxTokens: 1 })).end.completionTokens).toBe(1);
  });
});

describe('scores', () => {
  it('are one natural log probability per token and one for the end', async () => {
    const text = 'I am so sorry to hear that. What happened?';
    const [score] = await engine.score(
      prompt([said('My dog died.')]),
      [{ text, intent: 'any' }],
      false,
      signal,
    );
    expect(score?.tokens).toHaveLength(engine.countReply(text));
    expect(score?.logprobs).toHaveLength(engine.countReply(text));
    for (const logprob of score?.logprobs ?? []) expect(logprob).toBeLessThanOrEqual(0);
  });

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

  it('of an improbable token are finite', async () => {
    const [score] = await engine.score(
      prompt([]),
      [{ text: '𓀀 zxqv 𓀀', intent: 'any' }],
      true,
      signal,
    );
    for (const logprob of score?.logprobs ?? []) expect(Number.isFinite(logprob)).toBe(true);
  });

  it('hold the judgement only when it was asked for, without changing anything else', async () => {
    const p = prompt([said('My dog died.')]);
    const replies = ['Oh no.', 'Oh no.'].map((text) => ({ text, intent: 'any' as const }));
    const plain = await engine.score(p, replies, false, signal);
    const judged = await engine.score(p, replies, true, signal);
    expect(plain.map(({ judge }) => judge)).toEqual([null, null]);
    const [first, second] = judged.map(({ judge }) => judge);
    expect(first).not.toBeNull();
    expect(first).toBeCloseTo(second ?? Number.NaN, 2);
    expect(judged[1]?.logprobs[0]).toBeCloseTo(plain[1]?.logprobs[0] ?? Number.NaN, 2);
  });
});
