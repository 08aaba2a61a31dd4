/** Hazard: another server scores through this one. Its echoes are batch work and leave room for conversations. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, post, startTestServer } from '../support/client.ts';
import { RawWatch } from '../support/raw-engine.ts';

const watch = new RawWatch();
let server: RunningServer;
beforeAll(async () => {
  // Half of two sequences is for batches, and nobody waits.
  server = await startTestServer({
    sequences: 2,
    queueLength: 0,
    wrapEngine: (engine) => watch.before(engine),
  });
});
afterAll(() => server.close());

it('an echo is batch work, a completion is not', async () => {
  watch.hold = true;
  const control = new AbortController();
  const body = { prompt: [1, 2, 3], max_tokens: 4, ignore_eos: true, stream: true };
  const scoring = { ...body, echo: true, logprobs: 1 };
  const send = (wanted: object) =>
    post(server, '/v1/completions', wanted, { signal: control.signal });
  expect((await send(scoring)).status).toBe(200);
  expect(await failureOf(await send(scoring))).toMatchObject({ status: 429, code: 'queue_full' });
  expect((await send(body)).status).toBe(200);
  control.abort();
  await watch.untilFinished(2);
});
