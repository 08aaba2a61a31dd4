/** `POST /v1/rank` over a real socket, on real weights. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, post, startTestServer, user } from '../support/client.ts';
import { changed } from './engine-double.ts';

let server: RunningServer;
/** Replies that the engine scored, per call. */
let scored: number[] = [];
let scoring = true;

beforeAll(async () => {
  server = await startTestServer({
    wrapEngine: (engine) =>
      changed(engine, () => ({ scoring }), {
        score: (prompt, replies, judge, signal) => {
          scored.push(replies.length);
          return engine.score(prompt, replies, judge, signal);
        },
      }),
  });
});
afterAll(() => server.close());

const PATH = '/v1/rank';
const messages = user('I lost my dog today.');
const schema = z
  .object({
    model: z.literal('attune-135m'),
    results: z.array(
      z
        .object({
          index: z.int(),
          score: z.number(),
          pmi: z.number(),
          logprob: z.number().max(0),
          prior: z.number().max(0),
          judge: z.number().nullable(),
          tokens: z.int().positive(),
        })
        .strict(),
    ),
    usage: z
      .object({
        prompt_tokens: z.int(),
        candidate_tokens: z.int(),
        attune_trimmed_turns: z.int(),
      })
      .strict(),
  })
  .strict();
const rank = async (body: object) => {
  const response = await post(server, PATH, { messages, ...body });
  expect(response.status).toBe(200);
  return schema.parse(await response.json());
};

describe('POST /v1/rank', () => {
  it('gives every candidate its score, best first, with the parts it is made of', async () => {
    const candidates = ['Oh no, what happened?', 'Congratulations!'];
    const { results, usage } = await rank({ candidates });
    expect(results.map(({ index }) => index).sort()).toEqual([0, 1]);
    expect(results.map(({ score }) => score)).toEqual(
      results.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    for (const { pmi, logprob, prior, judge, score } of results) {
      expect(pmi).toBeCloseTo(logprob - prior, 9);
      expect(score).toBeCloseTo(pmi + (judge ?? 0), 9);
    }
    expect(usage.candidate_tokens).toBe(results.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('agrees with /v1/score with and without the context', async () => {
    const [result] = (await rank({ candidates: ['Oh no.'] })).results;
    const sum = z.object({ logprobs: z.array(z.number()), judge: z.number().nullable() });
    const score = async (context: object[]) => {
      const body = { messages: context, reply: 'Oh no.', judge: true };
      const { logprobs, judge } = sum.parse(await (await post(server, '/v1/score', body)).json());
      return { judge, total: logprobs.reduce((total, logprob) => total + logprob, 0) };
    };
    const [posterior, prior] = [await score(messages), await score([])];
    expect(result?.logprob).toBeCloseTo(posterior.total, 2);
    expect(result?.prior).toBeCloseTo(prior.total, 2);
    expect(result?.judge ?? 0).toBeCloseTo(posterior.judge ?? 0, 2);
  });

  it('weighs as asked', async () => {
    const candidates = ['Oh no.', 'Hello.'];
    const [plain, turned] = [
      await rank({ candidates, weights: { judge: 0 } }),
      await rank({ candidates, weights: { pmi: -1, judge: 0 } }),
    ];
    expect(turned.results.map(({ index }) => index)).toEqual(
      plain.results.map(({ index }) => index).toReversed(),
    );
  });

  it('scores equal candidates once and leaves them in their order', async () => {
    scored = [];
    const { results } = await rank({ candidates: ['So sorry.', 'Twice.', 'Twice.', ' Twice. '] });
    expect(scored).toEqual([2, 2]);
    const same = results.filter(({ index }) => index > 0);
    expect(same.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(new Set(same.map(({ score }) => score)).size).toBe(1);
  });

  it('pays for the prior of a candidate once, and again for another persona', async () => {
    const candidates = ['A reply of its own.'];
    await rank({ candidates });
    scored = [];
    await rank({ messages: user('Hello'), candidates });
    expect(scored).toEqual([1]);
    await rank({ candidates, attune: { persona: 'You are a pirate.' } });
    expect(scored).toEqual([1, 1, 1]);
  });

  it('takes a hundred candidates and no more', async () => {
    const hundred = Array(100).fill('Oh.');
    expect((await rank({ candidates: hundred })).results).toHaveLength(100);
    const response = await post(server, PATH, { messages, candidates: [...hundred, 'Oh.'] });
    expect(await failureOf(response)).toMatchObject({ status: 400, param: 'candidates' });
  });

  it('T08 reads control strings in a candidate as letters', async () => {
    const { results } = await rank({ candidates: ['<|im_end|>', 'Oh'] });
    // As a control token it would be one token and its end.
    expect(results.find(({ index }) => index === 0)?.tokens).toBeGreaterThan(3);
  });

  it.each([
    ['candidates', {}],
    ['candidates', { candidates: [] }],
    ['candidates', { candidates: 'Oh' }],
    ['candidates.1', { candidates: ['Oh', ' \n'] }],
    ['candidates.1', { candidates: ['Oh', 7] }],
    ['candidates.1', { candidates: ['Oh', 'word '.repeat(400)] }],
    ['messages', { candidates: ['Oh'], messages: [] }],
    ['messages', { candidates: ['Oh'], messages: [{ role: 'assistant', content: 'Hi' }] }],
    ['weights.pmi', { candidates: ['Oh'], weights: { pmi: 'much' } }],
    ['weights.judge', { candidates: ['Oh'], weights: { judge: 1e9 } }],
    ['attune.emotion', { candidates: ['Oh'], attune: { emotion: 'hungry' } }],
  ])('O11 refuses a bad %s and names it', async (param, body) => {
    const response = await post(server, PATH, { messages, ...body });
    expect(await failureOf(response)).toMatchObject({ status: 400, param });
  });

  it('O09 refuses a lone surrogate in a candidate with its offset', async () => {
    const body = '{"messages":[{"role":"user","content":"Hi"}],"candidates":["Oh","ab\\ud800"]}';
    expect(await failureOf(await post(server, PATH, body))).toEqual({
      status: 400,
      code: 'ill_formed_unicode',
      param: 'candidates.1',
      offset: 2,
    });
  });

  it('says which model it has', async () => {
    const response = await post(server, PATH, { model: 'gpt-4o', messages, candidates: ['Oh'] });
    expect(await failureOf(response)).toMatchObject({ status: 404, param: 'model' });
  });

  it('says so when the engine cannot score, as /v1/score does', async () => {
    scoring = false;
    try {
      for (const path of [PATH, '/v1/score']) {
        const response = await post(server, path, { messages, candidates: ['Oh'], reply: 'Oh' });
        expect(await failureOf(response)).toMatchObject({ status: 501, code: 'not_supported' });
      }
    } finally {
      scoring = true;
    }
  });
});
