/** What every engine does, whoever computes. What they agree in: both-engines-agree.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_STRINGS } from '../../../test/support/adversarial-strings.ts';
import { normaliseText } from '../../src/engine/prompt.ts';
import type { GenerationRequest, Turn } from '../../src/engine/types.ts';
import {
  answered,
  type Both,
  ENGINES,
  greedy,
  promptOf,
  replyOf,
  request,
  said,
  startBoth,
} from '../support/both-engines.ts';
import { CONTEXT_SIZE } from '../support/model.ts';

const signal = new AbortController().signal;
let both: Both;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both.close());

describe.each(ENGINES)('%s', (name) => {
  const engine = () => both.engines[name];
  const prompt = (turns: readonly Turn[]) => promptOf(engine(), turns);
  const reply = (turns: readonly Turn[], more?: Partial<GenerationRequest>) =>
    replyOf(engine(), turns, more);

  it('says what it serves', () => {
    expect(engine().info).toMatchObject({
      contextSize: CONTEXT_SIZE,
      sequences: 2,
      scoring: true,
    });
    expect(engine().info.persona).not.toBe('');
  });

  it('ranks all labels, each head summing to one, with its share of the distribution', async () => {
    const heads = await engine().readHeads(prompt([said('I lost my dog today.')]), signal);
    expect([heads.emotions.length, heads.intents.length]).toEqual([32, 9]);
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
      const events = engine().generate(
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
      for await (const event of engine().generate(prompt([said('Go on.')]), request(), signal)) {
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
    const scores = await engine().score(p, replies, true, signal);
    const heads = await engine().readHeads(p, signal);
    expect(scores.map(({ intent }) => intent)).toEqual(['any', heads.intents[0]?.label]);
    for (const [index, { tokens, logprobs, judge }] of scores.entries()) {
      expect(tokens).toHaveLength(engine().countReply(replies[index]?.text ?? ''));
      expect(logprobs).toHaveLength(tokens.length);
      for (const logprob of logprobs) {
        expect(logprob).toBeLessThanOrEqual(0);
        expect(Number.isFinite(logprob)).toBe(true);
      }
      expect(Number.isFinite(judge)).toBe(true);
    }
    const [plain] = await engine().score(p, replies.slice(0, 1), false, signal);
    expect(plain?.judge).toBeNull();
  });

  it('scores a reply to nothing: its prior', async () => {
    const replies = [{ text: '𓀀 zxqv 𓀀', intent: 'any' }] as const;
    const [score] = await engine().score(prompt([]), replies, false, signal);
    expect(score?.logprobs).toHaveLength(engine().countReply(replies[0].text));
    for (const logprob of score?.logprobs ?? []) expect(Number.isFinite(logprob)).toBe(true);
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
