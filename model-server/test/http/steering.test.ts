/** What a client may tell the model beside the messages, each seen in its effect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { completionSchema, failureOf, post, startTestServer, user } from '../support/client.ts';
import { changed } from './engine-double.ts';

let server: RunningServer;
let emotionInput = true;

beforeAll(async () => {
  // The slot tokens are in every vocabulary of ours; whether they were trained is a fact of the weights.
  server = await startTestServer({
    wrapEngine: (engine) => changed(engine, () => ({ emotionInput })),
  });
});
afterAll(() => server.close());

const answer = async (attune: object) => {
  const response = await post(server, '/v1/chat/completions', {
    messages: user('I lost my dog today'),
    max_tokens: 1,
    attune,
  });
  expect(response.status).toBe(200);
  const { usage, attune: told } = completionSchema.parse(await response.json());
  return { ...told, promptTokens: usage.prompt_tokens };
};

describe('attune in a chat request', () => {
  it('persona takes the place of the one of training in the prompt', async () => {
    const [trained, none, long] = [
      await answer({}),
      await answer({ persona: '' }),
      await answer({ persona: 'Be kind. '.repeat(20) }),
    ];
    expect(none.promptTokens).toBeLessThan(trained.promptTokens);
    expect(long.promptTokens).toBeGreaterThan(trained.promptTokens);
    expect(none.emotions).not.toEqual(trained.emotions);
  });

  it('intent decides alone, a bias moves the choice by as much as it says', async () => {
    const { intents, intent } = await answer({});
    const last = intents.at(-1)?.label ?? '';
    expect((await answer({ intent: last })).intent).toBe(last);
    expect((await answer({ intent: last, intent_bias: { [intent]: 100 } })).intent).toBe(last);
    expect((await answer({ intent_bias: { [last]: 100 } })).intent).toBe(last);
    expect((await answer({ intent_bias: { [last]: 0.000_1 } })).intent).toBe(intent);
    expect((await answer({ intent_bias: { [intent]: -100 } })).intent).toBe(intents[1]?.label);
  });

  it('emotion is one more token of the prompt and changes what the model reads next', async () => {
    const [own, told] = [await answer({}), await answer({ emotion: 'joyful' })];
    expect(told.promptTokens).toBe(own.promptTokens + 1);
    expect(told.intents).not.toEqual(own.intents);
  });

  it('emotion is refused on every route by weights that were not trained with it', async () => {
    emotionInput = false;
    try {
      for (const path of ['/v1/chat/completions', '/v1/affect', '/v1/score', '/v1/rank']) {
        const response = await post(server, path, {
          messages: user('Hi'),
          reply: 'Oh',
          candidates: ['Oh'],
          attune: { emotion: 'sad' },
        });
        expect(await failureOf(response)).toMatchObject({
          status: 400,
          code: 'unsupported_parameter',
          param: 'attune.emotion',
        });
      }
    } finally {
      emotionInput = true;
    }
  });
});
