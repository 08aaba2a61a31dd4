import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';

const idle = new AbortController().signal;

/** A client whose requests are answered by `answer`; the requests are kept. */
function clientOf(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Request[] = [];
  const client = createClient('the-key', async (input, init) => {
    const request = new Request(new URL(String(input), 'http://attune.test'), init);
    requests.push(request);
    init?.signal?.throwIfAborted();
    return answer(request);
  });
  return { client, requests };
}

function message(client: ReturnType<typeof createClient>, signal = idle) {
  return client.sendMessage({ sessionId: 's/1', text: 'hi', signal, onEvent: () => undefined });
}

describe('the client', () => {
  test('sends the key as a bearer token and never in the address', async () => {
    const { client, requests } = clientOf(() =>
      Response.json({ session_id: 's1' }, { status: 201 }),
    );
    expect(await client.createSession(idle)).toEqual({ ok: true, value: 's1' });
    const [request] = requests;
    expect(request?.headers.get('authorization')).toBe('Bearer the-key');
    expect(request?.url).toBe('http://attune.test/v1/sessions');
    expect(await request?.text()).toBe('{}');
  });

  test('reads the turns of a session and sees that one is still being answered', async () => {
    const turn = {
      turn_id: 't1',
      n: 1,
      user: { text: 'hi' },
      assistant: { text: 'hello', finish_reason: 'stop' },
      emotions: [{ label: 'joyful', probability: 0.7 }],
      safety: { level: 0, flags: [], route: 'converse' },
    };
    const { client } = clientOf(() =>
      Response.json({ session_id: 's1', region: 'GB', turns: [turn], last_n: 2 }),
    );
    expect(await client.readSession('s1', idle)).toEqual({
      ok: true,
      value: {
        turns: [
          {
            turnId: 't1',
            text: 'hi',
            reply: 'hello',
            finish: 'stop',
            emotions: turn.emotions,
            crisis: false,
          },
        ],
        pending: true,
        region: 'GB',
      },
    });
  });

  test('asks for a stream and escapes the session in the path', async () => {
    const { client, requests } = clientOf(() => new Response('event: done\ndata: {}\n\n'));
    expect(await message(client)).toEqual({ ok: true, value: null });
    expect(requests[0]?.url).toBe('http://attune.test/v1/sessions/s%2F1/messages');
    expect(await requests[0]?.json()).toEqual({ text: 'hi', stream: true });
  });

  test('reports a refusal with its code, its delay and its helplines', async () => {
    const line = { name: 'Emergency', kind: 'emergency', contact: '112' };
    const { client } = clientOf(() =>
      Response.json(
        { error: { code: 'session_not_found', message: 'No such session.' }, resources: [line] },
        { status: 404, headers: { 'retry-after': '7' } },
      ),
    );
    expect(await message(client)).toMatchObject({
      ok: false,
      failure: {
        kind: 'refused',
        status: 404,
        code: 'session_not_found',
        message: 'No such session.',
        retryAfter: 7,
        resources: [line],
      },
    });
  });

  test('survives an error page that is not JSON', async () => {
    const { client } = clientOf(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await message(client)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', status: 502, message: '', retryAfter: null, resources: [] },
    });
  });

  test('tells a service that cannot be reached from a reply that was cut', async () => {
    const down = clientOf(() => Promise.reject(new TypeError('failed to fetch')));
    expect(await message(down.client)).toEqual({ ok: false, failure: { kind: 'unreachable' } });
    const cut = clientOf(() => new Response('event: delta\ndata: {"text":"I"}\n\n'));
    expect(await message(cut.client)).toEqual({ ok: false, failure: { kind: 'cut' } });
  });

  test('does not call a stop by the person a failure of the network', async () => {
    const controller = new AbortController();
    controller.abort();
    const { client } = clientOf(() => new Response(''));
    expect(await message(client, controller.signal)).toEqual({
      ok: false,
      failure: { kind: 'aborted' },
    });
  });

  test('asks the service to stop the turn', async () => {
    const { client, requests } = clientOf(() => Response.json({}));
    await client.stopTurn('s1', 't1');
    expect(requests[0]?.method).toBe('POST');
    expect(requests[0]?.url).toBe('http://attune.test/v1/sessions/s1/turns/t1/stop');
  });
});
