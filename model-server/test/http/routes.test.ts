/** All routes over a real socket: who may use them, what they refuse, what they answer. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLANK, FIFTY_THOUSAND_A, ILL_FORMED } from '../../../test/support/adversarial-strings.ts';
import type { RunningServer } from '../../src/server.ts';
import {
  errorSchema,
  failureOf,
  get,
  post,
  startTestServer,
  TOKEN,
  user,
} from '../support/client.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const CHAT = '/v1/chat/completions';
const POSTS = [CHAT, '/v1/affect', '/v1/score', '/v1/rank'] as const;
const valid = { messages: user('Hi'), reply: 'Hello', candidates: ['Hello'], max_tokens: 1 };

describe('authentication', () => {
  it.each([...POSTS.map((path) => ['POST', path]), ['GET', '/v1/models'], ['GET', '/metrics']])(
    '%s %s needs the token',
    async (method, path = '') => {
      for (const authorization of [undefined, 'Bearer wrong', `Basic ${TOKEN}`]) {
        const response = await fetch(server.url + path, {
          method: method ?? 'GET',
          headers: authorization === undefined ? {} : { authorization },
        });
        expect(await failureOf(response)).toMatchObject({ status: 401, code: 'unauthorized' });
      }
    },
  );

  it('is asked for before a route is said not to exist', async () => {
    expect((await get(server, '/nowhere', null)).status).toBe(401);
    expect(await failureOf(await get(server, '/nowhere'))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

describe('a request body', () => {
  const send = (headers: string[], body: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port });
      let answer = '';
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1');
      });
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
      const lines = [
        'POST /v1/affect HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${TOKEN}`,
        'Connection: close',
      ];
      socket.write([...lines, ...headers, '', body].join('\r\n'));
    });
  const chunked = (...pieces: string[]) =>
    `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;

  it('may come in chunks, cut anywhere', async () => {
    const text = JSON.stringify(valid);
    const body = chunked(text.slice(0, 9), text.slice(9));
    expect(await send(['Transfer-Encoding: chunked'], body)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is refused over 1 MiB in chunks, too', async () => {
    const body = chunked('a'.repeat(600_000), 'a'.repeat(600_000));
    expect(await send(['Transfer-Encoding: chunked'], body)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is refused unread when it says that it is too long', async () => {
    expect(await send(['Content-Length: 2000000'], '{')).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is not asked for where no route takes one', async () => {
    const response = await fetch(`${server.url}/v1/affect`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{}',
    });
    expect(await failureOf(response)).toMatchObject({ status: 404 });
  });
});

describe('health', () => {
  it('/healthz tells that the process lives', async () => {
    const response = await get(server, '/healthz', null);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('/readyz makes one real token, and many callers share the proof', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => get(server, '/readyz', null)),
    );
    for (const response of answers) {
      expect([response.status, await response.json()]).toEqual([200, { status: 'ready' }]);
    }
    const text = await (await get(server, '/metrics')).text();
    expect(text).toMatch(/attune_requests_total\{route="\/readyz",status="200"\} 10/);
  });
});

describe('GET /v1/models', () => {
  it('lists the loaded model in the shape of OpenAI', async () => {
    const response = await get(server, '/v1/models');
    expect(await response.json()).toEqual({
      object: 'list',
      data: [
        { id: 'attune-135m', object: 'model', created: 0, owned_by: 'attune', context_length: 512 },
      ],
    });
  });
});

describe('GET /metrics', () => {
  it('counts without a word of what was said', async () => {
    const secret = 'xylophone';
    await post(server, CHAT, { ...valid, messages: user(`My ${secret} is broken`) });
    await post(server, `/v1/${secret}`, {});
    const text = await (await get(server, '/metrics')).text();
    expect(text).toMatch(/^attune_generated_tokens_total \d+$/m);
    expect(text).toMatch(/^attune_requests_total\{route="other",status="404"\} \d+$/m);
    expect(text).toMatch(/^attune_sequences_busy 0$/m);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(TOKEN);
  });
});

describe.each(POSTS)('POST %s', (path) => {
  it.each(ILL_FORMED)(
    'O09 refuses a lone surrogate with its offset: %j',
    async ({ text, offset }) => {
      for (const stream of [true, false]) {
        const response = await post(server, path, { ...valid, stream, messages: user(text) });
        expect(await failureOf(response)).toEqual({
          status: 400,
          code: 'ill_formed_unicode',
          param: 'messages.0.content',
          offset,
        });
      }
    },
  );

  it('O11 refuses malformed JSON, wrong types and blank messages before a stream begins', async () => {
    for (const body of ['{"messages":', '', 'null', '[]', '"text"', '{}']) {
      expect((await failureOf(await post(server, path, body))).status).toBe(400);
    }
    for (const text of BLANK) {
      const response = await post(server, path, { ...valid, stream: true, messages: user(text) });
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(await failureOf(response)).toMatchObject({ status: 400, param: 'messages.0.content' });
    }
  });

  it('refuses a body over 1 MiB', async () => {
    const body = { ...valid, messages: user('a'.repeat(1_048_576)) };
    expect(await failureOf(await post(server, path, body))).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  it('refuses a system text that leaves no room', async () => {
    const messages = [{ role: 'system', content: 'Be kind. '.repeat(200) }, ...user('Hi')];
    expect(await failureOf(await post(server, path, { ...valid, messages }))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
  });

  it('T06 takes 50,000 letters without a space', async () => {
    const response = await post(server, path, { ...valid, messages: user(FIFTY_THOUSAND_A) });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});

describe.each(POSTS)('POST %s', (path) => {
  it('says which model it has', async () => {
    const response = await post(server, path, { ...valid, model: 'gpt-4o' });
    expect(await failureOf(response)).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
  });
});

describe('POST /v1/chat/completions', () => {
  it.each([
    ['n', { n: 2 }, 'unsupported_parameter'],
    ['tools', { tools: [{ type: 'function' }] }, 'unsupported_parameter'],
    ['logprobs', { logprobs: true }, 'unsupported_parameter'],
    ['attune.emotion', { attune: { emotion: 'sad' } }, 'unsupported_parameter'],
    ['temperature', { temperature: 9 }, 'invalid_value'],
    ['max_tokens', { max_tokens: 0 }, 'invalid_value'],
    ['stop', { stop: ['1', '2', '3', '4', '5'] }, 'invalid_value'],
  ])('O11 answers a bad %s with a 400 and not with a stream', async (param, body, code) => {
    for (const stream of [true, false]) {
      const response = await post(server, CHAT, { ...valid, ...body, stream });
      expect(await failureOf(response)).toMatchObject({ status: 400, code, param });
    }
  });

  it.each([
    { intent_bias: { 'my secret wish': 1 } },
    { intent_bias: { 'my secret wish': 'much' } },
    { 'my secret wish': 1, intent_bias: { questioning: 'much' } },
  ])('names what is wrong without a word of the client: %j', async (attune) => {
    const response = await post(server, CHAT, { ...valid, attune });
    expect(response.status).toBe(400);
    const { error } = errorSchema.parse(await response.json());
    expect(error.param).toMatch(/^attune\.intent_bias/);
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});
