/** Hazard: texts far longer than any context. Tokenising them would stop every stream for seconds. */
import { describe, expect, it } from 'vitest';
import type { RawCompletions } from '../../src/engine/raw.ts';
import type { Engine, EngineInfo } from '../../src/engine/types.ts';
import { createApp } from '../../src/http/app.ts';
import { parseCompletionsRequest } from '../../src/http/completions-request.ts';
import type { EngineState } from '../../src/http/context.ts';
import { Running } from '../../src/http/running.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { Queue } from '../../src/queue/queue.ts';
import { errorSchema, user } from '../support/client.ts';

const CONTEXT_SIZE = 512;
const LIMIT = CONTEXT_SIZE / 2;
const info: EngineInfo = {
  model: 'attune-135m',
  persona: 'You listen.',
  contextSize: CONTEXT_SIZE,
  sequences: 1,
  emotionInput: false,
  scoring: true,
};
const HEADS = { emotions: [], intents: [], emotionMass: 1, intentMass: 1 };

/** Routes over an engine with a token per word; nothing is computed. */
function routes(onCount: (text: string) => void = () => {}) {
  let state: EngineState = { state: 'loading' };
  let scores = 0;
  const engine: Engine = {
    info,
    prepare: () => ({
      ok: true,
      value: { tokens: [1, 2, 3], affectIndex: 1, replies: [], trimmedTurns: 0 },
    }),
    readHeads: async () => HEADS,
    generate: () => {
      throw new Error('nothing is generated here');
    },
    countReply: (text) => {
      onCount(text);
      return text.split(' ').length + 1;
    },
    score: async (_, replies) => {
      scores++;
      return replies.map(() => ({ intent: 'any', tokens: [1], logprobs: [-1], judge: null }));
    },
    close: async () => {},
  };
  state = { state: 'ready', engine };
  const app = createApp({
    engineState: () => state,
    queue: new Queue({ permits: 1, length: 1, now: () => 0 }),
    running: new Running(),
    metrics: new Metrics(),
    token: null,
    keepAliveMs: 60_000,
    now: () => 0,
    randomSeed: () => 1,
    report: (error) => {
      throw error;
    },
  });
  return {
    post: (path: string, body: object) =>
      app.request(path, {
        method: 'POST',
        body: JSON.stringify({ messages: user('Hi'), ...body }),
      }),
    stop: () => {
      state = { state: 'closing', engine };
    },
    scores: () => scores,
  };
}
const errorOf = async (response: Response) => ({
  status: response.status,
  ...errorSchema.parse(await response.json()).error,
});

const LONG = 'a'.repeat(1_000_000);

describe('a text far beyond the context', () => {
  it.each([
    ['/v1/rank', 'candidates.1', { candidates: ['Oh', LONG] }],
    ['/v1/score', 'reply', { reply: LONG }],
    ['/v1/score', 'replies.1.reply', { replies: [{ reply: 'Oh' }, { reply: LONG }] }],
  ])('T06 is refused by %s at %s before it is tokenised', async (path, param, body) => {
    const counted: number[] = [];
    const { post } = routes((text) => counted.push(text.length));
    expect(await errorOf(await post(path, body))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param,
      message: `${param} has more than ${LIMIT} tokens; at most ${LIMIT} fit.`,
    });
    expect(counted.filter((length) => length > 2)).toEqual([]);
  });

  it('T06 is refused by /v1/completions before it is tokenised', () => {
    const raw: RawCompletions = {
      vocabularySize: 10,
      encode: () => {
        throw new Error('tokenised');
      },
      textOf: () => '',
      nameOf: () => '',
      complete: () => {
        throw new Error('nothing is completed here');
      },
    };
    const parsed = parseCompletionsRequest({ prompt: LONG }, { info, raw }, () => 1);
    expect(parsed.ok ? null : parsed.failure).toMatchObject({
      kind: 'context_length_exceeded',
      param: 'prompt',
      message: expect.stringContaining('more than 504 tokens'),
    });
  });
});

describe('many texts in one request', () => {
  const candidates = ['one', 'two', 'three'];

  it.each([
    ['/v1/rank', { candidates }],
    ['/v1/score', { replies: candidates.map((reply) => ({ reply })) }],
  ])('let others go on between two of them (%s)', async (path, body) => {
    let turns = 0;
    const turnsAt: number[] = [];
    const { post } = routes(() => {
      turnsAt.push(turns);
      setImmediate(() => turns++);
    });
    expect((await post(path, body)).status).toBe(200);
    expect(turnsAt).toEqual([0, 1, 2]);
  });

  it.each([
    ['/v1/rank', { candidates }],
    ['/v1/score', { replies: candidates.map((reply) => ({ reply })) }],
  ])('are left alone when the server stops in between (%s)', async (path, body) => {
    let counted = 0;
    const { post, stop, scores } = routes(() => {
      counted++;
      if (counted === 2) setImmediate(stop);
    });
    expect(await errorOf(await post(path, body))).toMatchObject({
      status: 503,
      code: 'shutting_down',
    });
    expect([counted, scores()]).toEqual([2, 0]);
  });
});
