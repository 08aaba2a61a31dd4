/** Hazard: the engine breaks while a client listens. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord, RunningServer } from '../../src/server.ts';
import {
  chunkSchema,
  errorSchema,
  failureOf,
  post,
  readStream,
  startTestServer,
  user,
} from '../support/client.ts';
import { breaking } from '../support/engines.ts';

let server: RunningServer;
let broken = true;
const log: LogRecord[] = [];

beforeAll(async () => {
  server = await startTestServer({
    sequences: 1,
    wrapEngine: (engine) => breaking(engine, 1, () => broken),
    log: (record) => log.push(record),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  broken = true;
  log.length = 0;
});

const PATH = '/v1/chat/completions';
const body = {
  messages: user('I am glad that I can talk to you about my xylophone.'),
  max_tokens: 40,
};

describe('an engine that breaks', () => {
  it('S08 S09 ends the stream with one error as data, then closes it', async () => {
    const { data } = await readStream(await post(server, PATH, { ...body, stream: true }));
    const last = errorSchema.parse(JSON.parse(data.at(-1) ?? ''));
    expect(last.error).toMatchObject({ code: 'internal', type: 'server_error' });
    expect(data).not.toContain('[DONE]');
    const chunks = data.slice(0, -1).map((text) => chunkSchema.parse(JSON.parse(text)));
    expect(chunks.length).toBeGreaterThan(0);
    expect(chunks.every((chunk) => chunk.choices[0]?.finish_reason === null)).toBe(true);
  });

  it('answers 500 when nothing was streamed yet', async () => {
    expect(await failureOf(await post(server, PATH, body))).toMatchObject({
      status: 500,
      code: 'internal',
    });
  });

  it('tells the operator and not the client what happened, and nobody what was said', async () => {
    const { data } = await readStream(await post(server, PATH, { ...body, stream: true }));
    expect(data.join()).not.toContain('fire');
    expect(log).toEqual([
      { level: 'error', event: 'engine_error', name: 'Error', message: 'the machine is on fire' },
    ]);
  });

  it('S08 serves the next request as if nothing had been, with one terminal marker', async () => {
    await readStream(await post(server, PATH, { ...body, stream: true }));
    broken = false;
    const { data } = await readStream(
      await post(server, PATH, { ...body, max_tokens: 3, stream: true }),
    );
    expect(data.filter((text) => text === '[DONE]' || text.includes('"error"'))).toEqual([
      '[DONE]',
    ]);
  });
});
