/** `POST /v1/chat/completions` over a real socket, on real weights. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WELL_FORMED } from '../../../test/support/adversarial-strings.ts';
import type { RunningServer } from '../../src/server.ts';
import {
  chunkSchema,
  chunksOf,
  completionSchema,
  post,
  readStream,
  startTestServer,
  textOf,
  user,
} from '../support/client.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PATH = '/v1/chat/completions';
const messages = user('I lost my dog today 😢');
const stream = async (body: object) => {
  const response = await post(server, PATH, { messages, max_tokens: 6, stream: true, ...body });
  expect(response.status).toBe(200);
  return { response, transcript: await readStream(response) };
};
const whole = async (body: object) => {
  const response = await post(server, PATH, { messages, max_tokens: 6, ...body });
  expect(response.status).toBe(200);
  return completionSchema.parse(await response.json());
};

describe('a streamed answer', () => {
  it('O01 O02 O04 is role, text, one finish reason, [DONE]: null until the last chunk', async () => {
    const { transcript } = await stream({});
    expect(transcript.data.at(-1)).toBe('[DONE]');
    expect(transcript.data.filter((text) => text === '[DONE]')).toHaveLength(1);
    const chunks = chunksOf(transcript);
    const reasons = chunks.map((chunk) => chunk.choices[0]?.finish_reason);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
    expect(['stop', 'length']).toContain(reasons.at(-1));
    expect(chunks.at(-1)?.choices[0]?.delta).toEqual({});
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(
      1,
    );
  });

  it('carries the heads first and the response score last', async () => {
    const { transcript } = await stream({});
    const chunks = chunksOf(transcript);
    const first = chunks[0]?.attune;
    const last = chunks.at(-1)?.attune;
    if (first === undefined || !('emotions' in first)) throw new Error('no heads');
    expect(first.emotions).toHaveLength(32);
    expect(first.intents).toHaveLength(9);
    expect(first.intent).toBe(first.intents[0]?.label);
    expect(last !== undefined && 'response_score' in last).toBe(true);
    expect(chunks.slice(1, -1).every((chunk) => chunk.attune === undefined)).toBe(true);
  });

  it('O05 has usage in one extra chunk only when asked for it, null in the others', async () => {
    const asked = chunksOf((await stream({ stream_options: { include_usage: true } })).transcript);
    expect(asked.at(-1)?.choices).toEqual([]);
    expect(asked.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
    expect(asked.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    const plain = chunksOf((await stream({})).transcript);
    expect(plain.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('S03 begins with a comment and headers that keep proxies from buffering', async () => {
    const { response, transcript } = await stream({ max_tokens: 1 });
    expect(transcript.comments[0]).toBe('queued');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toContain('no-cache');
  });

  it('O07 a reply cut by max_tokens says `length`, streamed and not', async () => {
    const chunks = chunksOf((await stream({ max_tokens: 1 })).transcript);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
    const { choices, usage, attune } = await whole({ max_tokens: 1 });
    expect(choices[0]?.finish_reason).toBe('length');
    expect(usage.completion_tokens).toBe(1);
    expect(attune.response_score).toBeNull();
  });

  it('S13 S15 deltas are well-formed UTF-16, whatever is asked', async () => {
    for (const text of ['😀👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿', '你好，世界。我很难过']) {
      const { transcript } = await stream({
        messages: user(text),
        temperature: 2,
        top_p: 1,
        min_p: 0,
        max_tokens: 8,
        seed: 3,
      });
      for (const chunk of chunksOf(transcript)) {
        expect(chunk.choices[0]?.delta.content ?? '').not.toMatch(/\p{Surrogate}|\uFFFD/u);
      }
    }
  });
});

describe('an answer', () => {
  it('O03 ends with `stop` at a stop string, without it, streamed and not', async () => {
    const seeded = { seed: 5, attune: { deterministic: true } };
    const full = await whole(seeded);
    const text = full.choices[0]?.message.content ?? '';
    const stop = text.slice(1, 3);
    const cut = await whole({ ...seeded, stop: [stop] });
    expect(cut.choices[0]?.message.content).toBe(text.slice(0, text.indexOf(stop)));
    expect(cut.choices[0]?.finish_reason).toBe('stop');
    const chunks = chunksOf((await stream({ ...seeded, stop })).transcript);
    expect(textOf(chunks)).toBe(text.slice(0, text.indexOf(stop)));
  });

  it('is the same streamed and not, and each time, when deterministic', async () => {
    const seeded = { seed: 11, temperature: 1, attune: { deterministic: true } };
    const first = await whole(seeded);
    const again = await whole(seeded);
    const chunks = chunksOf((await stream(seeded)).transcript);
    expect(again.choices).toEqual(first.choices);
    expect(again.attune).toEqual(first.attune);
    expect(textOf(chunks)).toBe(first.choices[0]?.message.content);
  });

  it('uses the intent that was forced', async () => {
    expect((await whole({ max_tokens: 1, attune: { intent: 'any' } })).attune.intent).toBe('any');
    expect((await whole({ max_tokens: 1, attune: { intent: 'wishing' } })).attune.intent).toBe(
      'wishing',
    );
  });

  it('counts the turns that did not fit', async () => {
    const old = Array.from({ length: 4 }, (_, index) => [
      { role: 'user', content: `${index} ${'one two three four five six '.repeat(20)}` },
      { role: 'assistant', content: 'I see.' },
    ]).flat();
    const { usage } = await whole({ messages: [...old, ...messages], max_tokens: 1 });
    expect(usage.attune_trimmed_turns).toBeGreaterThan(0);
    expect(usage.attune_trimmed_turns).toBeLessThan(9);
    expect(usage.prompt_tokens).toBeLessThan(512);
  });

  it('T08 shows no control token, even after a message full of control strings', async () => {
    for (const text of WELL_FORMED.slice(-3)) {
      const { choices } = await whole({ messages: user(text), max_tokens: 4 });
      expect(choices[0]?.message.content).not.toMatch(
        /<\|(im_|emo:|int:|good|bad|judge|affect|reserved)/,
      );
    }
  });

  it('chunk and answer have the same id shape and no unknown keys', async () => {
    const answer = await whole({ max_tokens: 1 });
    expect(answer.id).toMatch(/^chatcmpl-[0-9a-f-]{36}$/);
    expect(() => chunkSchema.parse({ ...answer })).toThrow();
  });
});
