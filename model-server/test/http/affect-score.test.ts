/** What the model reads in a conversation and in given replies, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, post, startTestServer, user } from '../support/client.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('POST /v1/affect', () => {
  it('ranks 32 emotions and 9 intents', async () => {
    const ranked = (length: number) =>
      z.array(z.object({ label: z.string(), probability: z.number() })).length(length);
    const body = z.object({
      model: z.literal('attune-135m'),
      emotions: ranked(32),
      intents: ranked(9),
      emotion_mass: z.number(),
      intent_mass: z.number(),
      usage: z.object({ prompt_tokens: z.int(), attune_trimmed_turns: z.literal(0) }),
    });
    const response = await post(server, '/v1/affect', { messages: user('I lost my dog today') });
    expect(body.strict().safeParse(await response.json()).success).toBe(true);
  });
});

describe('POST /v1/affect with nothing to read', () => {
  it.each([
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: ' ' },
  ])('is refused: %j', async (message) => {
    const response = await post(server, '/v1/affect', { messages: [message] });
    expect(await failureOf(response)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'messages',
    });
  });
});

describe('POST /v1/score', () => {
  const one = z.object({
    intent: z.string(),
    tokens: z.array(z.int()),
    logprobs: z.array(z.number().max(0)),
    bytes: z.int(),
    words: z.int(),
  });
  const shared = {
    model: z.literal('attune-135m'),
    usage: z.object({ prompt_tokens: z.int().positive(), attune_trimmed_turns: z.int() }).strict(),
  };
  const schema = one.extend(shared).strict();
  const many = z.object({ ...shared, results: z.array(one.strict()) }).strict();
  const score = async (body: object) => (await post(server, '/v1/score', body)).json();

  it('gives one log probability per token and one for the end', async () => {
    const result = schema.parse(
      await score({ messages: user('My dog died.'), reply: ' Oh no, I am só sorry! ' }),
    );
    expect(result.logprobs).toHaveLength(result.tokens.length);
    expect(result).toMatchObject({ intent: 'any', bytes: 22, words: 6 });
  });

  it('scores without any context, and under the predicted intent', async () => {
    expect(schema.parse(await score({ messages: [], reply: 'Oh no.' })).intent).toBe('any');
    const predicted = schema.parse(
      await score({ messages: user('Hi'), reply: 'Oh.', intent: 'predicted' }),
    );
    expect(predicted.intent).not.toBe('any');
  });

  it('scores many replies to one context', async () => {
    const replies = [{ reply: 'Oh no.' }, { reply: 'What is his name?', intent: 'questioning' }];
    const { results } = many.parse(await score({ messages: user('My dog died.'), replies }));
    expect(results.map(({ intent }) => intent)).toEqual(['any', 'questioning']);
  });

  it('tells in its usage how many turns did not fit', async () => {
    const [turn] = user('I miss my old dog so much. '.repeat(20));
    const { usage } = schema.parse(await score({ messages: Array(9).fill(turn), reply: 'Oh.' }));
    expect(usage.attune_trimmed_turns).toBeGreaterThan(0);
    expect(usage.attune_trimmed_turns).toBeLessThan(9);
  });

  it('tells the log odds of the judge when asked', async () => {
    const judged = one.extend({ judge: z.number().nullable() }).strict();
    const body = { messages: user('My dog died.'), replies: [{ reply: 'Oh no.' }], judge: true };
    const { results } = z.object({ results: z.array(judged) }).parse(await score(body));
    expect(results).toHaveLength(1);
  });

  it.each([
    ['reply', {}],
    ['reply', { reply: 'a', replies: [{ reply: 'b' }] }],
    ['reply', { reply: ' ' }],
    ['replies.1.reply', { replies: [{ reply: 'a' }, { reply: '' }] }],
    ['replies', { replies: [] }],
    ['intent', { reply: 'a', intent: 'dancing' }],
    ['reply', { reply: 'word '.repeat(400) }],
    ['replies.1.reply', { replies: [{ reply: 'a' }, { reply: 'word '.repeat(400) }] }],
    ['judge', { reply: 'a', judge: 'yes' }],
  ])('refuses a bad %s', async (param, body) => {
    const response = await post(server, '/v1/score', { messages: user('Hi'), ...body });
    expect(await failureOf(response)).toMatchObject({ status: 400, param });
  });
});
