import { describe, expect, it } from 'vitest';
import { api, newSession, post, send } from '../support/client.ts';

interface Refusal {
  error: { code: string; message: string; param?: string; request_id: string };
}

async function refusal(response: Response): Promise<Refusal['error'] & { status: number }> {
  const { error } = await response.json<Refusal>();
  return { ...error, status: response.status };
}

describe('a message that is not valid', () => {
  const cases: [name: string, body: string, code: string, param?: string][] = [
    ['is malformed JSON', '{"text": "hi"', 'invalid_json'],
    ['is an array', '[]', 'invalid_request'],
    ['has no text', '{}', 'invalid_request', 'text'],
    ['has a number as text', '{"text": 7}', 'invalid_request', 'text'],
    ['is empty', '{"text": ""}', 'invalid_request', 'text'],
    ['is only white space', '{"text": " \\n\\t "}', 'invalid_request', 'text'],
    [
      'is over 16,000 characters',
      JSON.stringify({ text: 'a'.repeat(16_001) }),
      'invalid_request',
      'text',
    ],
    ['O09 has a lone surrogate', '{"text": "ab\\ud800c"}', 'invalid_request', 'text'],
    [
      'has an unsupported parameter',
      '{"text": "hi", "temperature": 2}',
      'unsupported_parameter',
      'temperature',
    ],
    ['has a wrong stream flag', '{"text": "hi", "stream": "yes"}', 'invalid_request', 'stream'],
    [
      'has a prototype key',
      '{"text": "hi", "__proto__": {"stream": false}, "constructor": 1}',
      'unsupported_parameter',
    ],
  ];

  it.each(cases)(
    'because it %s is refused before any stream, and nothing is stored',
    async (_, body, code, param) => {
      const session = await newSession();
      const response = await api(`/v1/sessions/${session}/messages`, { method: 'POST', body });
      expect(response.headers.get('content-type')).toContain('application/json');
      const error = await refusal(response);
      expect(error).toMatchObject({ status: 400, code });
      if (param !== undefined) expect(error.param).toBe(param);
      expect(error.request_id).not.toBe('');
      const view = await (await api(`/v1/sessions/${session}`)).json();
      expect(view).toMatchObject({ turns: [], last_n: 0 });
    },
  );

  it('O09 names the offset of the lone surrogate', async () => {
    const session = await newSession();
    const body = '{"text": "ab\\ud800c"}';
    const error = await refusal(
      await api(`/v1/sessions/${session}/messages`, { method: 'POST', body }),
    );
    expect(error.message).toContain('offset 2');
  });

  it('that is not UTF-8 is refused as invalid JSON', async () => {
    const session = await newSession();
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    const response = await api(`/v1/sessions/${session}/messages`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await refusal(response)).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  it('that is not declared as JSON is refused with 415', async () => {
    const session = await newSession();
    const response = await api(`/v1/sessions/${session}/messages`, {
      method: 'POST',
      body: 'text=hi',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await refusal(response)).toMatchObject({ status: 415 });
  });

  it('that is over 1 MiB is refused unread, with a pointer to /help', async () => {
    const session = await newSession();
    const error = await refusal(await send(session, { text: 'a'.repeat(1_100_000) }));
    expect(error).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(error.message).toContain('/help');
  });

  it('never repeats what was sent', async () => {
    const session = await newSession();
    const response = await send(session, { text: 'hi', stream: 'canary-5271' });
    expect(await response.text()).not.toContain('canary-5271');
  });
});

describe('a session', () => {
  it.each([`ses_${'0'.repeat(32)}`, 'nonsense', '..%2f..', 'ses_%00'])(
    'with the unknown id %s is 404',
    async (id) => {
      expect(await refusal(await send(id, { text: 'hello' }))).toMatchObject({
        status: 404,
        code: 'session_not_found',
      });
      expect((await api(`/v1/sessions/${id}`)).status).toBe(404);
    },
  );

  it.each([
    [{ region: 'Britain' }, 'region'],
    [{ locale: '!!' }, 'locale'],
    [{ retention_days: 0 }, 'retention_days'],
    [{ retention_days: 1.5 }, 'retention_days'],
    [{ consent: { training: 'yes' } }, 'consent.training'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
  ])('with %j is refused and names the parameter', async (body, param) => {
    expect(await refusal(await post('/v1/sessions', body))).toMatchObject({ status: 400, param });
  });
});

describe('a key', () => {
  it.each([
    ['missing', null],
    ['wrong', 'nonsense'],
    ['empty', ''],
  ])('that is %s is refused with 401', async (_, key) => {
    const response = await api('/v1/sessions', { method: 'POST', body: '{}', key });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refusal(response)).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('the open routes', () => {
  it('answer without a key', async () => {
    expect((await api('/healthz', { key: null })).status).toBe(200);
    expect(await (await api('/readyz', { key: null })).json()).toEqual({
      status: 'ready',
      checks: { affect: true, model_server: true },
    });
    const help = await (await api('/help?region=DE', { key: null })).text();
    expect(help).toContain('112');
  });

  it('do not give the demo key to a foreign host', async () => {
    expect((await api('/demo-key', { key: null })).status).toBe(404);
  });

  it('describe themselves as OpenAPI 3.1 with every route that exists', async () => {
    const document = await (await api('/openapi.json', { key: null })).json<{
      openapi: string;
      paths: Record<string, object>;
    }>();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/v1/emotions',
      '/v1/rank',
      '/v1/sessions',
      '/v1/sessions/{id}',
      '/v1/sessions/{id}/messages',
      '/v1/sessions/{id}/turns/{turn}/stop',
    ]);
  });

  it('answer 404 as JSON on an unknown path', async () => {
    expect(await refusal(await api('/v1/nonsense'))).toMatchObject({
      status: 404,
      code: 'route_not_found',
    });
  });
});
