/** Hazard: more requests than sequences. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, get, post, readStream, startTestServer, user } from '../support/client.ts';
import { Gate } from '../support/engines.ts';

let server: RunningServer;
const gate = new Gate();

beforeAll(async () => {
  server = await startTestServer({
    sequences: 1,
    queueLength: 1,
    keepAliveMs: 5,
    wrapEngine: (engine) => gate.before(engine),
  });
});
afterAll(async () => {
  gate.open();
  await server.close();
});

const PATH = '/v1/chat/completions';
const body = { messages: user('Hello'), max_tokens: 3, stream: true };

describe('a full house', () => {
  it('sends headers and comments to who waits, 429 with Retry-After to who finds the line full', async () => {
    const running = await post(server, PATH, body);
    await gate.until(() => gate.started === 1);
    // Answered although it cannot start: headers leave on enqueue.
    const waiting = await post(server, PATH, body);
    expect(waiting.status).toBe(200);

    for (const path of [PATH, '/v1/affect']) {
      const refused = await post(server, path, body);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await failureOf(refused)).toMatchObject({ status: 429, code: 'queue_full' });
    }
    const ready = await get(server, '/readyz', null);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reason: 'queue_full' }),
    ]);

    const reader = waiting.body?.getReader();
    const decoder = new TextDecoder();
    let seen = '';
    while (!seen.includes(': keep-alive\n\n: keep-alive\n\n')) {
      seen += decoder.decode((await reader?.read())?.value, { stream: true });
    }
    expect(seen).toMatch(/^: queued\n\n(: keep-alive\n\n)+$/);

    gate.open();
    expect((await readStream(running)).data.at(-1)).toBe('[DONE]');
    while (!seen.endsWith('data: [DONE]\n\n')) {
      seen += decoder.decode((await reader?.read())?.value, { stream: true });
    }
  });
});
