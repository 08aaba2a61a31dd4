/** Hazard: the client leaves. Its work must stop, its place must be free. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { get, post, readStream, startTestServer, user } from '../support/client.ts';
import { Gate } from '../support/engines.ts';
import { changed } from './engine-double.ts';

let server: RunningServer;
const gate = new Gate();
/** Uses of the engine that read or score: begun, and given back by the real one. */
let begun = 0;
let answered = 0;
/** Told when such a use has its answer; the request is held there until its client has left. */
let held: (() => void) | null = null;

beforeAll(async () => {
  // One sequence: an orphan would block everyone.
  server = await startTestServer({
    sequences: 1,
    wrapEngine: (engine) =>
      changed(gate.before(engine), () => ({}), {
        readHeads: (prompt, signal) => use(() => engine.readHeads(prompt, signal), signal),
        score: (prompt, replies, judge, signal) =>
          use(() => engine.score(prompt, replies, judge, signal), signal),
      }),
  });
});
afterAll(async () => {
  gate.open();
  await server.close();
});
beforeEach(() => gate.shut());

async function use<R>(work: () => Promise<R>, signal: AbortSignal): Promise<R> {
  begun++;
  const result = await work();
  answered++;
  const tell = held;
  if (tell === null) return result;
  held = null;
  const gone = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  tell();
  await gone;
  return result;
}
const untilMetric = async (line: string) => {
  const seen = async () => (await (await get(server, '/metrics')).text()).includes(`\n${line}\n`);
  while (!(await seen()));
};

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

describe.each(['/v1/rank', '/v1/score', '/v1/affect'])('a client that leaves during %s', (path) => {
  const work = { messages: user('My dog died.'), candidates: ['Oh no.'], reply: 'Oh no.' };
  const ask = (signal: AbortSignal) =>
    post(server, path, work, { signal }).catch((error: unknown) => error);

  it('G01 leaves the line at once, and its work is never begun', async () => {
    const { started } = gate;
    const first = post(server, PATH, { ...body(true), max_tokens: 2 });
    await gate.until(() => gate.started > started);
    const before = begun;
    const control = new AbortController();
    const outcome = ask(control.signal);
    await untilMetric('attune_queue_waiting 1');
    control.abort();
    expect(await outcome).toBeInstanceOf(Error);
    // The first one still has the only sequence: it is the line that was left.
    await untilMetric('attune_queue_waiting 0');
    gate.open();
    await readStream(await first);
    await nextIsServed();
    expect(begun).toBe(before);
  });

  it('G01 frees its permit and its sequence at once, between two steps, too', async () => {
    const [begunBefore, answeredBefore] = [begun, answered];
    const control = new AbortController();
    const holding = new Promise<void>((resolve) => {
      held = resolve;
    });
    const outcome = ask(control.signal);
    await holding;
    control.abort();
    expect(await outcome).toBeInstanceOf(Error);
    await untilMetric('attune_sequences_busy 0');
    await nextIsServed();
    expect(answered - answeredBefore).toBe(1);
    expect(begun - begunBefore).toBe(1);
  });
});
