/**
 * What every engine does, whoever computes: in this process, or a second instance of this server
 * behind `/v1/completions`. Both work on the same loaded weights; nothing depends on how well they
 * answer, but heads must hold most of the distribution, as in any weights that can be served.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_STRINGS } from '../../../test/support/adversarial-strings.ts';
import { normaliseText } from '../../src/engine/prompt.ts';
import { loadRemoteEngine } from '../../src/engine/remote/load.ts';
import type { Engine, GenerationEvent, GenerationRequest, Turn } from '../../src/engine/types.ts';
import type { RunningServer } from '../../src/server.ts';
import { startTestServer, TOKEN } from '../support/client.ts';
import { CONTEXT_SIZE, MODEL_PATH } from '../support/model.ts';
import { RawWatch } from '../support/raw-engine.ts';

const signal = new AbortController().signal;
const watch = new RawWatch();
const engines = new Map<string, Engine>();
let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer({
    wrapEngine: (engine) => {
      engines.set('llama-cpp', engine);
      return watch.before(engine);
    },
  });
  const remote = await loadRemoteEngine({
    vocabularyPath: MODEL_PATH,
    url: server.url,
    token: TOKEN,
    model: null,
    scoring: 'auto',
    contextSize: CONTEXT_SIZE,
    sequences: 2,
    timeoutMs: 60_000,
    signal,
    warn: () => {},
    onWaiting: (message) => {
      throw new Error(message);
    },
    pause: () => Promise.resolve(),
  });
  engines.set('openai-completions', remote);
});
afterAll(async () => {
  await engines.get('openai-completions')?.close();
  await server.close();
});

const get = (name: string): Engine => {
  const engine = engines.get(name);
  if (engine === undefined) throw new Error('not started');
  return engine;
};
const said = (text: string): Turn => ({ role: 'user', text: normaliseText(text), intent: 'any' });
const answered = (text: string): Turn => ({ role: 'assistant', text, intent: 'any' });
const greedy = {
  temperature: 0,
  topP: 1,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repeatPenalty: 1,
  seed: 7,
};
const request = (more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  sampling: { ...greedy, temperature: 1 },
  maxTokens: 10,
  stop: [],
  intent: null,
  intentBias: {},
  deterministic: false,
  ...more,
});

describe.each(['llama-cpp', 'openai-completions'])('%s', (name) => {
  const prompt = (turns: readonly Turn[], reserve = 64) => {
    const engine = get(name);
    const conversation = { persona: engine.info.persona, turns, emotion: null };
    const prepared = engine.prepare(conversation, reserve);
    if (!prepared.ok) throw new Error(prepared.failure.kind);
    return prepared.value;
  };
  const reply = async (turns: readonly Turn[], more: Partial<GenerationRequest> = {}) => {
    const events: GenerationEvent[] = [];
    for await (const event of get(name).generate(prompt(turns), request(more), signal)) {
      events.push(event);
    }
    const [heads] = events;
    const end = events.at(-1);
    if (heads?.type !== 'heads' || end?.type !== 'end') throw new Error('events out of order');
    const text = events.map((event) => (event.type === 'heads' ? '' : event.text)).join('');
    return { heads, end, text };
  };

  it('says what it serves', () => {
    expect(get(name).info).toMatchObject({
      contextSize: CONTEXT_SIZE,
      sequences: 2,
      scoring: true,
    });
    expect(get(name).info.persona).not.toBe('');
  });

  it('ranks all labels, each head summing to one', async () => {
    const heads = await get(name).readHeads(prompt([said('I lost my dog today.')]), signal);
    expect([heads.emotions.length, heads.intents.length]).toEqual([32, 9]);
    for (const ranked of [heads.emotions, heads.intents]) {
      const values = ranked.map(({ probability }) => probability);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
      expect(values.toSorted((a, b) => b - a)).toEqual(values);
    }
  });

  it('replies after the heads with the most probable intent, in text only', async () => {
    const { heads, end, text } = await reply([said('My exam is tomorrow.')]);
    expect(heads.intent).toBe(heads.heads.intents[0]?.label);
    expect(heads.promptTokens).toBe(prompt([said('My exam is tomorrow.')]).tokens.length + 1);
    expect(end.completionTokens).toBeGreaterThan(0);
    expect(text).not.toMatch(/<\|[a-z_:]+\|>/);
    expect(text.length).toBeGreaterThan(0);
  });

  it('judges a reply that the model ended, and only such a one', async () => {
    const { end } = await reply([said('Hello.')], { sampling: greedy, maxTokens: 200 });
    expect(end.finishReason).toBe('stop');
    expect(end.responseScore).toBeGreaterThanOrEqual(0);
    expect(end.responseScore).toBeLessThanOrEqual(1);
    expect((await reply([said('Hello.')], { maxTokens: 1 })).end).toMatchObject({
      finishReason: 'length',
      completionTokens: 1,
      responseScore: null,
    });
  });

  it('ends before a stop string and says so', async () => {
    const turns = [said('Tell me about the sea.')];
    const same = { sampling: greedy, deterministic: true };
    const { text } = await reply(turns, same);
    const stop = text.slice(3, 6);
    const { end, text: cut } = await reply(turns, { ...same, stop: [stop] });
    expect(cut).toBe(text.slice(0, text.indexOf(stop)));
    expect(end).toMatchObject({ finishReason: 'stop', responseScore: null });
  });

  it('obeys a forced intent and a bias', async () => {
    const turns = [said('I do not know what to do.')];
    expect((await reply(turns, { intent: 'any', maxTokens: 1 })).heads.intent).toBe('any');
    const biased = await reply(turns, { intentBias: { wishing: 100 }, maxTokens: 1 });
    expect(biased.heads.intent).toBe('wishing');
  });

  it('is reproduced by its seed when deterministic', async () => {
    const turns = [said('Tell me about the sea, my mother loved it so much.')];
    const once = await reply(turns, { deterministic: true });
    await reply([said('Something else entirely.')], { maxTokens: 1 });
    expect(await reply(turns, { deterministic: true })).toEqual(once);
    expect(once.heads.reusedTokens).toBe(0);
    const texts = new Set([once.text]);
    for (const seed of [8, 9, 10]) {
      texts.add((await reply(turns, { sampling: { ...request().sampling, seed } })).text);
    }
    expect(texts.size).toBeGreaterThan(1);
  });

  it('says no run of six tokens of an earlier reply again', async () => {
    const question = said('I failed my exam and I do not know how to tell my parents.');
    const again = { sampling: greedy, intent: 'any', maxTokens: 16 } as const;
    const runs = (text: string) => {
      const tokens = prompt([answered(normaliseText(text))]).replies[0] ?? [];
      return tokens.slice(5).map((_, index) => tokens.slice(index, index + 6).join(' '));
    };
    const first = await reply([question], again);
    const turns = [said('Hello.'), answered(normaliseText(first.text)), question];
    const second = await reply(turns, again);
    const known = new Set(runs(first.text));
    expect(runs(second.text).filter((run) => known.has(run))).toEqual([]);
  });

  it('G01 stops within one token of an abort, and is free', async () => {
    const control = new AbortController();
    const reason = new Error('left');
    let tokens = 0;
    const run = async () => {
      const events = get(name).generate(
        prompt([said('Talk to me.')]),
        request({ maxTokens: 64 }),
        control.signal,
      );
      for await (const event of events) {
        if (event.type !== 'token') continue;
        tokens++;
        control.abort(reason);
      }
    };
    await expect(run()).rejects.toThrow();
    expect(tokens).toBe(1);
    const both = [said('One.'), said('Two.')].map((turn) => reply([turn], { maxTokens: 1 }));
    expect((await Promise.all(both)).map(({ end }) => end.completionTokens)).toEqual([1, 1]);
  });

  it('a consumer that stops reading leaves it free', async () => {
    for (let round = 0; round < 3; round++) {
      for await (const event of get(name).generate(prompt([said('Go on.')]), request(), signal)) {
        if (event.type === 'token') break;
      }
    }
    expect((await reply([said('Again.')], { maxTokens: 1 })).end.completionTokens).toBe(1);
  });

  it('scores replies: one natural logarithm per token, one for the end, the judge when asked', async () => {
    const p = prompt([said('My dog died.')]);
    const replies = [
      { text: 'I am so sorry to hear that.', intent: 'any' },
      { text: '𓀀 zxqv 𓀀', intent: 'predicted' },
    ] as const;
    const scores = await get(name).score(p, replies, true, signal);
    const heads = await get(name).readHeads(p, signal);
    expect(scores.map(({ intent }) => intent)).toEqual(['any', heads.intents[0]?.label]);
    for (const [index, { tokens, logprobs, judge }] of scores.entries()) {
      expect(tokens).toHaveLength(get(name).countReply(replies[index]?.text ?? ''));
      expect(logprobs).toHaveLength(tokens.length);
      for (const logprob of logprobs) expect(logprob).toBeLessThanOrEqual(0);
      expect(Number.isFinite(judge)).toBe(true);
    }
    const [plain] = await get(name).score(p, replies.slice(0, 1), false, signal);
    expect(plain?.judge).toBeNull();
  });

  it('trims the oldest turns and keeps the persona', async () => {
    const turns = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? said(`This is message number ${index} of mine.`)
        : answered('I see. Go on.'),
    );
    const { tokens, trimmedTurns } = prompt([...turns, said('Are you there?')]);
    const short = prompt([said('Are you there?')]).tokens;
    expect(trimmedTurns).toBeGreaterThan(0);
    expect(tokens.length).toBeLessThanOrEqual(CONTEXT_SIZE - 64);
    expect(tokens.slice(0, 10)).toEqual(short.slice(0, 10));
    const { end } = await reply([...turns, said('Are you there?')], { maxTokens: 1 });
    expect(end.completionTokens).toBe(1);
  });

  it('T08 no control string of a user becomes a control token', () => {
    const frame = prompt([said('x')]).tokens;
    const control = (ids: readonly number[]) => ids.filter((id) => id <= 16 || id >= 49_152);
    for (const text of CONTROL_STRINGS) {
      expect(control(prompt([said(text)]).tokens), text).toEqual(control(frame));
    }
  });
});

describe('both', () => {
  const conversations = [
    [said('I lost my dog today.')],
    [said('I won a prize!'), answered('Congratulations!'), said('Nobody came to see it.')],
    [said('Es regnet. 🌧️ <|im_end|> 50,000 × a')],
  ];
  const prompts = () =>
    conversations.map((turns) => {
      const engine = get('llama-cpp');
      const prepared = engine.prepare({ persona: 'I listen.', turns, emotion: null }, 64);
      if (!prepared.ok) throw new Error(prepared.failure.kind);
      return prepared.value;
    });

  it('make the same token ids of the same conversation', () => {
    for (const [index, turns] of conversations.entries()) {
      const remote = get('openai-completions');
      expect(remote.prepare({ persona: 'I listen.', turns, emotion: null }, 64)).toEqual({
        ok: true,
        value: prompts()[index],
      });
    }
  });

  // One after the other: batches of another shape change the last bits, which the rounding of 8-bit
  // weights makes larger than what is compared here.
  it('read the same heads within 0.001', async () => {
    for (const prompt of prompts()) {
      const here = await get('llama-cpp').readHeads(prompt, signal);
      const there = await get('openai-completions').readHeads(prompt, signal);
      for (const head of ['emotions', 'intents'] as const) {
        const probabilities = new Map<string, number>(
          there[head].map(({ label, probability }) => [label, probability]),
        );
        for (const { label, probability } of here[head]) {
          const difference = Math.abs(probability - (probabilities.get(label) ?? Number.NaN));
          expect(difference, label).toBeLessThan(0.001);
        }
      }
    }
  });

  it('give the same likelihoods within 0.05 nat a token', async () => {
    const [prompt] = prompts();
    if (prompt === undefined) throw new Error('no prompt');
    const replies = [{ text: 'Oh no, what happened to him?', intent: 'consoling' }] as const;
    const [here] = await get('llama-cpp').score(prompt, replies, true, signal);
    const [there] = await get('openai-completions').score(prompt, replies, true, signal);
    const figures = [here, there].map((one) => [
      ...(one?.logprobs ?? []),
      one?.judge ?? Number.NaN,
    ]);
    expect(figures[0]).toHaveLength(get('llama-cpp').countReply(replies[0].text) + 1);
    for (const [index, figure] of (figures[0] ?? []).entries()) {
      expect(Math.abs(figure - (figures[1]?.[index] ?? Number.NaN))).toBeLessThan(0.05);
    }
  });
});

describe('behind the remote engine', () => {
  it('G01 an abort ends the work within one token', async () => {
    watch.hold = true;
    watch.tokensAfterAbort = 0;
    const control = new AbortController();
    const before = { finished: watch.finished, requests: watch.requests.length };
    const prepared = get('openai-completions').prepare(
      { persona: '', turns: [said('Talk to me.')], emotion: null },
      64,
    );
    if (!prepared.ok) throw new Error(prepared.failure.kind);
    const run = async () => {
      const events = get('openai-completions').generate(
        prepared.value,
        request({ maxTokens: 64 }),
        control.signal,
      );
      for await (const event of events) if (event.type === 'token') control.abort();
    };
    await expect(run()).rejects.toThrow();
    // Two readings and the reply.
    await watch.untilFinished(before.finished + 3);
    watch.hold = false;
    expect(watch.requests).toHaveLength(before.requests + 3);
    expect(watch.tokensAfterAbort).toBe(0);
  });

  it('T08 only token ids arrive, special ones where the format has them', () => {
    const known = new Set(watch.requests.map(({ prompt }) => typeof prompt[0]));
    expect(known).toEqual(new Set(['number']));
  });
});
