/** A first look at a remote engine: every server that cannot be used is told apart, with what to do. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UPSTREAM_WORDS } from '../../../src/constants.ts';
import { CompletionsClient } from '../../../src/engine/remote/client.ts';
import { type ProbeOptions, probe } from '../../../src/engine/remote/probe.ts';
import { echo, frames, json, reading, tokenFrame, Upstream } from '../../support/upstream.ts';
import { slots, tokenizer } from '../../support/vocabulary.ts';

let upstream: Upstream;
let heads: Record<number, number> = {};
beforeEach(async () => {
  upstream = await Upstream.start();
  heads = {};
  for (const token of [...slots.emotions.values(), ...slots.intents.values()]) heads[token] = 0.02;
  for (const token of slots.intents.values()) heads[token] = 0.06;
  upstream.script = (response, body) => {
    if (body.stream === true) return frames(response, [tokenFrame([120], 'length'), '[DONE]']);
    const answer = reading(heads);
    return json(response, 200, body['echo'] === true ? echo(body.prompt) : answer);
  };
});
afterEach(() => upstream.stop());

const look = (more: Partial<ProbeOptions> = {}, token: string | null = null) =>
  probe(
    new CompletionsClient({ url: upstream.url, token, timeoutMs: 30_000 }),
    tokenizer,
    { model: null, contextSize: 1_024, scoring: 'auto', ...more },
    new AbortController().signal,
  );
const failureOf = async (more: Partial<ProbeOptions> = {}) => {
  const found = await look(more);
  return found.ok ? null : found.failure;
};
const refuse = (status: number, message: string) => (response: ServerResponse) =>
  json(response, status, { error: { message } });

describe('a server with our model', () => {
  it('is taken, with what it can do', async () => {
    expect(await look()).toMatchObject({
      ok: true,
      value: { facts: { tokenIds: 'token_ids', scoring: true } },
    });
    expect(new Set(upstream.bodies.map((body) => body['model']))).toEqual(new Set(['m']));
  });

  it('that names generated ids only in its logprobs is read there', async () => {
    const { script } = upstream;
    upstream.script = (response, body) =>
      body.stream === true
        ? frames(response, [{ choices: [{ text: 'x', finish_reason: 'length' }] }, '[DONE]'])
        : script(response, body);
    expect(await look()).toMatchObject({ ok: true, value: { facts: { tokenIds: 'logprobs' } } });
  });

  it.each([
    ['refuses to echo', (response: ServerResponse) => refuse(400, 'no echo')(response)],
    ['ignores echo', (response: ServerResponse) => json(response, 200, reading({ 120: 1 }))],
  ])('that %s cannot score', async (_name, answer) => {
    const { script } = upstream;
    upstream.script = (response, body) =>
      body['echo'] === true ? answer(response) : script(response, body);
    expect(await look()).toMatchObject({ ok: true, value: { facts: { scoring: false } } });
  });

  it.each([true, false])('is not asked about scoring when %s is configured', async (scoring) => {
    expect(await look({ scoring })).toMatchObject({ ok: true, value: { facts: { scoring } } });
    expect(upstream.bodies.filter((body) => body['echo'] === true)).toEqual([]);
  });
});

describe('a server that is not up', () => {
  it.each([502, 503, 429])('answers %i: it is worth waiting', async (status) => {
    upstream.models = refuse(status, 'Loading model');
    expect(await failureOf()).toEqual({
      kind: 'not_up',
      message: `ENGINE_URL: the remote engine answered ${status} ("Loading model").`,
    });
  });

  it('does not listen: it is worth waiting', async () => {
    await upstream.stop();
    expect(await failureOf()).toMatchObject({ kind: 'not_up' });
    upstream = await Upstream.start();
  });
});

describe('a server that is unfit', () => {
  it('serves a model without our slots', async () => {
    heads = {
      120: 0.7,
      [slots.emotions.get('sad') ?? 0]: 0.3,
      [slots.intents.get('wishing') ?? 0]: 0.6,
    };
    expect(await failureOf()).toEqual({
      kind: 'unfit',
      message: expect.stringMatching(
        /does not know our slots .*0\.300, 0\.600.*Serve there the weights whose vocabulary MODEL_PATH names/,
      ),
    });
  });

  it('has no model of the configured name', async () => {
    const message = expect.stringMatching(/no model other: set ENGINE_MODEL to one of m\./);
    expect(await failureOf({ model: 'other' })).toEqual({ kind: 'unfit', message });
  });

  it('has less context than we were told to use', async () => {
    const message = expect.stringMatching(/1024 tokens of context and MODEL_CONTEXT_SIZE is 2048/);
    expect(await failureOf({ contextSize: 2_048 })).toEqual({ kind: 'unfit', message });
  });

  it.each([401, 403])('answers %i: the token is asked for', async (status) => {
    upstream.models = refuse(status, 'no');
    expect(await failureOf()).toMatchObject({
      kind: 'unfit',
      message: expect.stringContaining('Set ENGINE_TOKEN.'),
    });
  });

  it('allows fewer log probabilities: its own words and the option are told', async () => {
    upstream.script = refuse(400, 'Requested 64 logprobs, the maximum is 20');
    expect(await failureOf()).toMatchObject({
      kind: 'unfit',
      message: expect.stringMatching(/the maximum is 20.*vLLM needs --max-logprobs 64/),
    });
  });

  it.each([401, 403, 400, 503])(
    'quotes our token in its %i: the token is not told',
    async (status) => {
      const token = 'sk-very-secret';
      const padding = 'x'.repeat(UPSTREAM_WORDS - 4);
      for (const words of [`Incorrect API key: ${token}.`, `${padding}${token}`]) {
        upstream.models = refuse(status, words);
        const found = await look({}, token);
        const message = found.ok ? '' : found.failure.message;
        expect(message).toContain(`answered ${status}`);
        expect(message).not.toMatch(/sk-v/);
      }
    },
  );

  it('refuses our token: its words may hold a part of it and are not told', async () => {
    upstream.models = refuse(401, 'Incorrect API key provided: sk-ver***ret');
    expect(await failureOf()).toEqual({
      kind: 'unfit',
      message: 'ENGINE_URL: the remote engine answered 401. Set ENGINE_TOKEN.',
    });
  });

  it('is no such server at all', async () => {
    upstream.models = (response) => response.end('<html>hello</html>');
    expect(await failureOf()).toMatchObject({
      kind: 'unfit',
      message: expect.stringContaining('not JSON'),
    });
  });
});
