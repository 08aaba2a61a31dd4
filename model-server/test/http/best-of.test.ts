/** One answer out of several: `attune.best_of`, `focus`, `retrieval`, over real weights. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Engine, GenerationEvent } from '../../src/engine/types.ts';
import { createApp } from '../../src/http/app.ts';
import type { ServerContext } from '../../src/http/context.ts';
import { Running } from '../../src/http/running.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { Queue } from '../../src/queue/queue.ts';
import { buildRetrieval, readRetrieval } from '../../src/select/retrieval.ts';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, post, readStream, startTestServer, user } from '../support/client.ts';
import { changed } from './engine-double.ts';

let server: RunningServer;
let engine: Engine;
let scoring = true;
/** Put in front of a generation, by its number since the last test. */
let around: (
  events: AsyncGenerator<GenerationEvent, void, void>,
  signal: AbortSignal,
) => typeof events;
const plain: typeof around = (events) => events;
/** Seeds that the engine was asked for. */
let seeds: number[] = [];

beforeAll(async () => {
  around = plain;
  server = await startTestServer({
    wrapEngine: (real) => {
      engine = changed(real, () => ({ scoring }), {
        generate: (prompt, request, signal) => {
          seeds.push(request.sampling.seed);
          return around(real.generate(prompt, request, signal), signal);
        },
      });
      return engine;
    },
  });
});
afterEach(() => {
  around = plain;
  scoring = true;
  seeds = [];
});
afterAll(() => server.close());

const PATH = '/v1/chat/completions';
const request = (attune: object, more: object = {}) => ({
  messages: user('I lost my dog today.'),
  max_tokens: 5,
  seed: 7,
  temperature: 1,
  attune,
  ...more,
});

const candidate = z
  .object({
    source: z.enum(['generated', 'retrieved']),
    score: z.number(),
    pmi: z.number().nullable(),
    judge: z.number().nullable(),
    focus: z.number().min(0).max(1),
    overlap: z.number().min(0).max(1),
    generic: z.number().min(0).max(1),
    words: z.int(),
  })
  .strict();
const selection = z.object({
  response_score: z.number().nullable(),
  best_of: z.int(),
  chosen: z.int(),
  source: z.string(),
  candidates: z.array(candidate),
});
const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() }))
    .length(1),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
  attune: selection.extend({ intent: z.string() }),
});
const whole = async (response: Response) => {
  expect(response.status).toBe(200);
  const { choices, usage, attune } = completion.parse(await response.json());
  return { text: choices[0]?.message.content, finish: choices[0]?.finish_reason, usage, attune };
};

/** Real heads, and given texts in place of what the weights would say. */
function saying(...texts: readonly string[]): typeof around {
  return async function* say(events) {
    const text = texts[seeds.length - 1] ?? '';
    for await (const event of events) {
      if (event.type !== 'heads') continue;
      yield event;
      break;
    }
    const finishReason = text === '' ? 'length' : 'stop';
    yield { type: 'end', text, finishReason, completionTokens: 1, responseScore: null };
  };
}

/** A promise and what resolves it. */
function signalled() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('best_of', () => {
  it('makes as many replies from seeds of their own and gives the one with the best score', async () => {
    const { usage, attune } = await whole(await post(server, PATH, request({ best_of: 3 })));
    expect(new Set(seeds).size).toBe(3);
    expect(seeds[0]).toBe(7);
    expect(attune).toMatchObject({ best_of: 3, source: 'generated' });
    expect(attune.candidates).toHaveLength(3);
    const scores = attune.candidates.map(({ score }) => score);
    expect(scores[attune.chosen]).toBe(Math.max(...scores));
    // All that was sampled is counted; the prompt is one.
    expect(usage.completion_tokens).toBeGreaterThan(5);
    expect(usage.completion_tokens).toBeLessThanOrEqual(15);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it('is the same each time, streamed and not, when deterministic', async () => {
    const body = request({ best_of: 2, deterministic: true }, { max_tokens: 8 });
    const first = await whole(await post(server, PATH, body));
    const again = await whole(await post(server, PATH, body));
    expect([again.text, again.finish, again.attune.chosen]).toEqual([
      first.text,
      first.finish,
      first.attune.chosen,
    ]);
    const { data } = await readStream(await post(server, PATH, { ...body, stream: true }));
    const chunk = z.object({
      choices: z.array(z.object({ delta: z.object({ content: z.string().optional() }) })),
    });
    const texts = data
      .slice(0, -1)
      .map((text) => chunk.parse(JSON.parse(text)).choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe(first.text);
  });

  it('O01 O05 streams the chosen reply in pieces between the heads and how it was chosen', async () => {
    const body = request({ best_of: 2 }, { stream: true, stream_options: { include_usage: true } });
    const { data, comments } = await readStream(await post(server, PATH, body));
    expect(comments[0]).toBe('queued');
    expect(data.at(-1)).toBe('[DONE]');
    const chunk = z.object({
      choices: z.array(z.object({ finish_reason: z.string().nullable() })),
      usage: z.object({ completion_tokens: z.int() }).nullable(),
      attune: z.unknown().optional(),
    });
    const chunks = data.slice(0, -1).map((text) => chunk.parse(JSON.parse(text)));
    const heads = z.object({ emotions: z.array(z.unknown()).length(32), intent: z.string() });
    expect(heads.safeParse(chunks[0]?.attune).success).toBe(true);
    expect(selection.strict().parse(chunks.at(-2)?.attune).candidates).toHaveLength(2);
    expect(chunks.slice(1, -2).every(({ attune }) => attune === undefined)).toBe(true);
    const reasons = chunks.slice(0, -1).map(({ choices }) => choices[0]?.finish_reason);
    expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
    expect(['stop', 'length']).toContain(reasons.at(-1));
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(1);
  });

  it('G01 makes no further reply for a client that left', async () => {
    let tokensAfterAbort = 0;
    const held = signalled();
    const over = signalled();
    around = async function* holdSecond(events, signal) {
      let tokens = 0;
      try {
        for await (const event of events) {
          if (signal.aborted && event.type === 'token') tokensAfterAbort++;
          yield event;
          if (seeds.length !== 2 || event.type !== 'token' || tokens++ > 0) continue;
          const aborted = new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          held.resolve();
          await aborted;
        }
      } finally {
        if (seeds.length >= 2) over.resolve();
      }
    };
    const control = new AbortController();
    const body = request({ best_of: 8 }, { stream: true, max_tokens: 100 });
    const response = await post(server, PATH, body, { signal: control.signal });
    const outcome = readStream(response).catch((error: unknown) => error);
    await held.promise;
    control.abort();
    expect(await outcome).toBeInstanceOf(Error);
    await over.promise;
    around = plain;
    expect((await post(server, PATH, request({}, { max_tokens: 1 }))).status).toBe(200);
    expect(tokensAfterAbort).toBeLessThanOrEqual(1);
    expect(seeds).toHaveLength(3);
  });

  it('chooses without likelihoods where the engine cannot score', async () => {
    scoring = false;
    const { attune } = await whole(await post(server, PATH, request({ best_of: 2 })));
    expect(attune.candidates.map(({ pmi, judge }) => [pmi, judge])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

describe('focus', () => {
  it('makes a second reply to choose from and tells how much of it each takes up', async () => {
    around = saying('Your dogs and your house', 'Was the dog away?');
    const focus = ['dog', 'house', 'neighbours', 'away'];
    const more = { max_tokens: 40, temperature: 1 };
    const { text, attune } = await whole(await post(server, PATH, request({ focus }, more)));
    expect(attune.best_of).toBe(2);
    expect(attune.candidates.map((one) => one.focus)).toEqual([0.5, 0.5]);
    expect(text).toBe(['Your dogs and your house', 'Was the dog away?'][attune.chosen]);
    seeds = [];
    around = saying('Tell me', 'How is your neighbour?');
    const again = await whole(await post(server, PATH, request({ focus }, more)));
    expect(again.attune.candidates.map((one) => one.focus)).toEqual([0, 0.25]);
  });
});

describe('retrieval', () => {
  const REPLY = 'Have you asked your neighbours whether they saw your dog?';
  /** The same routes with an index behind them. */
  const withIndex = () => {
    const index = readRetrieval(
      buildRetrieval([
        { context: 'Yesterday somebody lost their dog', reply: REPLY },
        { context: 'An exam is tomorrow', reply: 'How well did you prepare for it?' },
      ]),
    );
    if (!index.ok) throw new Error(index.failure.message);
    const context: ServerContext = {
      engineState: () => ({ state: 'ready', engine }),
      queue: new Queue({ permits: 1, length: 1, now: () => 0 }),
      running: new Running(),
      metrics: new Metrics(),
      retrieval: index.value,
      token: null,
      keepAliveMs: 60_000,
      now: () => 0,
      randomSeed: () => 1,
      report: (error) => {
        throw error;
      },
    };
    return createApp(context);
  };
  const ask = (body: object) =>
    withIndex().request(PATH, { method: 'POST', body: JSON.stringify(body) });

  it('is refused where the server has no index', async () => {
    for (const stream of [true, false]) {
      const response = await post(server, PATH, request({ retrieval: true }, { stream }));
      expect(await failureOf(response)).toMatchObject({
        status: 400,
        code: 'unsupported_parameter',
        param: 'attune.retrieval',
      });
    }
  });

  it('puts what people said to similar messages beside the generated reply', async () => {
    const { usage, attune } = await whole(
      await ask(request({ retrieval: 1, best_of: 1, focus: ['neighbours'] }, { max_tokens: 40 })),
    );
    expect(attune.candidates.map(({ source }) => source)).toEqual(['generated', 'retrieved']);
    expect(attune.candidates[1]).toMatchObject({ focus: 1, words: 10 });
    expect(attune.best_of).toBe(1);
    expect(usage.completion_tokens).toBeLessThanOrEqual(40);
    expect(attune.candidates[attune.chosen]?.source).toBe(attune.source);
  });

  it('gives what people said where the generated reply is blank', async () => {
    around = saying('');
    const { text, finish, attune } = await whole(
      await ask(request({ retrieval: 1, best_of: 1 }, { max_tokens: 40 })),
    );
    expect(text).toBe(REPLY);
    expect([finish, attune.source, attune.chosen]).toEqual(['stop', 'retrieved', 1]);
  });

  it.each([
    ['is longer than max_tokens', {}],
    ['has a stop string', { max_tokens: 40, stop: ['neighbours'] }],
  ])('leaves out a retrieved reply that %s', async (_, more) => {
    const { attune } = await whole(await ask(request({ retrieval: 1, best_of: 1 }, more)));
    expect(attune.candidates.map(({ source }) => source)).toEqual(['generated']);
  });
});
