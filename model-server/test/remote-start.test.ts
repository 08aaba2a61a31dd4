/** Hazard: the remote engine is not there when this server starts, or goes away later. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord, RunningServer, ServerOptions } from '../src/server.ts';
import { failureOf, get, post, startTestServer, TOKEN, user } from './support/client.ts';
import { json, Upstream } from './support/upstream.ts';

const PATH = '/v1/chat/completions';
let behind: RunningServer;
/** Stands before `behind`: says 503 while it is shut. */
let door: Upstream;
let open = false;
const log: LogRecord[] = [];
let front: RunningServer | null = null;

beforeAll(async () => {
  behind = await startTestServer({ sequences: 1 });
  door = await Upstream.start();
  const shut = { error: { message: 'Loading model' } };
  door.models = (response) => {
    if (!open) return json(response, 503, shut);
    void get(behind, '/v1/models').then(async (answer) => json(response, 200, await answer.json()));
  };
  door.script = (response, body) => {
    if (!open) return json(response, 503, shut);
    void post(behind, '/v1/completions', body).then(async (answer) => {
      const type = answer.headers.get('content-type') ?? '';
      response.writeHead(answer.status, { 'content-type': type });
      response.end(await answer.text());
    });
  };
});
afterEach(async () => {
  await front?.close();
  front = null;
  log.length = 0;
});
afterAll(async () => {
  await door.stop();
  await behind.close();
});

const start = async (more: Partial<NonNullable<ServerOptions['remote']>> = {}) => {
  front = await startTestServer({
    sequences: 1,
    log: (record) => log.push(record),
    remote: { url: door.url, token: TOKEN, ...more },
  });
  return front;
};
/** Pauses that last until the test goes on. */
function pauses() {
  let go = () => {};
  const pause = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      go = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return { pause, go: () => go() };
}
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};
const events = () => log.map(({ event }) => event);

describe('a remote engine that is not up', () => {
  it('leaves the server listening and not ready, until it is', async () => {
    open = false;
    const { pause, go } = pauses();
    const server = await start({ pause });
    expect(server.engineIsReady()).toBe(false);
    expect((await get(server, '/healthz', null)).status).toBe(200);
    const ready = await get(server, '/readyz', null);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reason: 'loading' }),
    ]);
    expect(await failureOf(await post(server, PATH, { messages: user('Hi') }))).toMatchObject({
      status: 503,
    });
    expect(log.at(-1)).toMatchObject({
      level: 'warn',
      event: 'engine_not_up',
      message: 'ENGINE_URL: the remote engine answered 503 ("Loading model").',
    });
    open = true;
    go();
    await until(() => server.engineIsReady());
    expect((await get(server, '/readyz', null)).status).toBe(200);
    const answer = await post(server, PATH, { messages: user('Hi'), max_tokens: 2 });
    expect(answer.status).toBe(200);
    expect(events().at(-1)).toBe('engine_up');
  });

  it('that is waited for in vain because of a bug is reported, and said to be hopeless', async () => {
    open = false;
    const server = await start({ pause: () => Promise.reject(new TypeError('a broken clock')) });
    await server.hopeless;
    expect(log.at(-1)).toMatchObject({ level: 'error', event: 'engine_error', name: 'TypeError' });
    expect(server.engineIsReady()).toBe(false);
    await server.close();
    await expect(get(server, '/healthz', null)).rejects.toThrow();
  });

  it('does not hold up a stop', async () => {
    open = false;
    const server = await start({ pause: pauses().pause });
    await server.close();
    await expect(get(server, '/healthz', null)).rejects.toThrow();
  });
});

describe('a remote engine that goes away', () => {
  it('makes the server not ready, and ready again when it is back', async () => {
    open = true;
    const server = await start();
    open = false;
    const answer = await post(server, PATH, { messages: user('Hi'), max_tokens: 2 });
    expect(answer.status).toBe(503);
    expect(await failureOf(answer)).toMatchObject({ code: 'engine_unavailable' });
    expect((await get(server, '/readyz', null)).status).toBe(503);
    open = true;
    expect((await get(server, '/readyz', null)).status).toBe(200);
  });
});

describe('a remote engine that is not ours', () => {
  it('is a start error that says what to do', async () => {
    open = true;
    await expect(start({ model: 'gpt-4' })).rejects.toThrow(/set ENGINE_MODEL to one of/);
    await expect(start({ token: 'wrong', url: behind.url })).rejects.toThrow(/Set ENGINE_TOKEN/);
  });
});

describe('a server with a remote engine', () => {
  it('passes no raw completions on', async () => {
    open = true;
    const server = await start();
    const answer = await post(server, '/v1/completions', { prompt: [1] });
    expect(await failureOf(answer)).toMatchObject({ status: 501, code: 'not_supported' });
  });
});
