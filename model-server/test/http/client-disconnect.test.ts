/** Hazard: the client leaves. Its work must stop, its place must be free. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { get, post, readStream, startTestServer, user } from '../support/client.ts';
import { Gate } from '../support/engines.ts';

let server: RunningServer;
const gate = new Gate();

beforeAll(async () => {
  // One sequence: an orphan would block everyone.
  server = await startTestServer({ sequences: 1, wrapEngine: (engine) => gate.before(engine) });
});
afterAll(async () => {
  gate.open();
  await server.close();
});
beforeEach(() => gate.shut());

const PATH = '/v1/chat/completions';
const body = (stream: boolean) => ({
  messages: user('Talk to me for a long time.'),
  max_tokens: 200,
  stream,
});
const leave = async (stream: boolean) => {
  const control = new AbortController();
  const { started, finished } = gate;
  const answer = post(server, PATH, body(stream), { signal: control.signal });
  const outcome = answer.then((response) => readStream(response)).catch((error: unknown) => error);
  await gate.until(() => gate.started > started);
  control.abort();
  expect(await outcome).toBeInstanceOf(Error);
  await gate.until(() => gate.finished > finished);
};
const nextIsServed = async () => {
  gate.open();
  const response = await post(server, PATH, { ...body(false), max_tokens: 1 });
  expect(response.status).toBe(200);
  await response.body?.cancel();
};

describe('a client that leaves', () => {
  it.each([true, false])(
    'G01 stops the generation within one token (stream: %s)',
    async (stream) => {
      await leave(stream);
      expect(gate.tokensAfterAbort).toBeLessThanOrEqual(1);
      gate.tokensAfterAbort = 0;
      await nextIsServed();
    },
  );

  it('G03 leaves the only sequence to the next request at once', async () => {
    await leave(true);
    await leave(false);
    await nextIsServed();
    expect(await (await get(server, '/metrics')).text()).toMatch(/attune_sequences_busy 0/);
  });

  it('G03 is not generated for when it left while queued', async () => {
    const first = post(server, PATH, { ...body(true), max_tokens: 2 });
    const started = gate.started;
    await gate.until(() => gate.started > started);
    const control = new AbortController();
    const queued = await post(server, PATH, body(true), { signal: control.signal });
    expect(queued.status).toBe(200);
    control.abort();
    await expect(readStream(queued)).rejects.toThrow();
    gate.open();
    await readStream(await first);
    await nextIsServed();
    // The first and the last: the one that left the line never started.
    expect(gate.started).toBe(started + 2);
  });
});
