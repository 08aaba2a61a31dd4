/** Hazard: the remote engine fails. Every way has its kind, none hangs, none leaves a connection. */
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/failure.ts';
import { CompletionsClient } from '../../../src/engine/remote/client.ts';
import { frames, json, type Script, tokenFrame, Upstream } from '../../support/upstream.ts';

let upstream: Upstream;
const signal = new AbortController().signal;
beforeEach(async () => {
  upstream = await Upstream.start();
});
afterEach(() => upstream.stop());

/** Timers that fire when the test says so. */
class Timers {
  readonly #actions = new Map<() => void, number>();
  /** How often a timer was set. */
  settings = 0;
  readonly after = (ms: number, action: () => void) => {
    this.settings++;
    const own = () => action();
    this.#actions.set(own, ms);
    return () => this.#actions.delete(own);
  };
  get armed(): number {
    return this.#actions.size;
  }
  /** Time is over for timers of so many milliseconds. */
  fire(milliseconds: number): void {
    for (const [action, ms] of this.#actions) if (ms === milliseconds) action();
  }
  /** Resolves when a timer was set since. */
  async untilSet(): Promise<void> {
    const { settings } = this;
    while (this.settings === settings) await new Promise((resolve) => setImmediate(resolve));
  }
}

const SILENCE_MS = 1_000;
const timers = new Timers();
const client = (token: string | null = null) =>
  new CompletionsClient({ url: upstream.url, token, timeoutMs: SILENCE_MS, after: timers.after });
const streamed = async (from = client(), until = signal) => {
  const answers: unknown[] = [];
  for await (const answer of from.stream({ prompt: [1] }, until)) answers.push(answer);
  return answers;
};
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngineFailure)) throw new Error('no failure');
  return { kind: error.kind, retryAfter: error.retryAfter, status: error.status };
};

describe('an answer', () => {
  it('is asked for with the token and read to its end', async () => {
    upstream.script = (response) => {
      frames(response, [tokenFrame([5]), tokenFrame([], 'stop'), '[DONE]']);
      response.end();
    };
    expect(await streamed(client('key'))).toHaveLength(2);
    expect(upstream.tokens).toEqual(['Bearer key']);
    expect(timers.armed).toBe(0);
  });

  it('may have the base URL with or without /v1', async () => {
    const bare = { url: upstream.url.replace('/v1', '/'), token: null, timeoutMs: 1_000 };
    expect((await new CompletionsClient(bare).models(signal)).data[0]?.id).toBe('m');
    expect((await client().models(signal)).data[0]?.id).toBe('m');
  });
});

describe('a failure', () => {
  it.each([
    [429, { 'retry-after': '7' }, { kind: 'busy', retryAfter: 7, status: 429 }],
    [429, {}, { kind: 'busy', retryAfter: null, status: 429 }],
    [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, { kind: 'busy', retryAfter: null }],
    [429, { 'retry-after': '86400' }, { kind: 'busy', retryAfter: 60 }],
    [503, { 'retry-after': '2' }, { kind: 'unavailable', retryAfter: 2, status: 503 }],
    [502, {}, { kind: 'unavailable', status: 502 }],
    [500, {}, { kind: 'broken', status: 500 }],
    [400, {}, { kind: 'broken', status: 400 }],
  ])('of status %i has its kind, streamed and not', async (status, headers, expected) => {
    upstream.script = (response) => json(response, status, { error: { message: 'no' } }, headers);
    expect(await failureOf(streamed())).toMatchObject(expected);
    expect(await failureOf(client().complete({ prompt: [1] }, signal))).toMatchObject(expected);
    expect(timers.armed).toBe(0);
  });

  it('is "unavailable" where nobody listens', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => {
        const address = closed.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    await new Promise((resolve) => closed.close(resolve));
    const nobody = new CompletionsClient({
      url: `http://127.0.0.1:${port}`,
      token: null,
      timeoutMs: 1_000,
    });
    expect(await failureOf(nobody.models(signal))).toMatchObject({ kind: 'unavailable' });
  });

  const broken: readonly (readonly [string, Script])[] = [
    ['a frame that is not JSON', (response) => frames(response, ['{"choices":'])],
    ['a frame of another shape', (response) => frames(response, [{ choices: 'none' }])],
    ['an error frame', (response) => frames(response, [{ error: { message: 'no', code: 500 } }])],
  ];
  it.each(broken)('S06 is "broken" for %s, and the connection is closed', async (_name, script) => {
    upstream.script = script;
    expect(await failureOf(streamed())).toMatchObject({ kind: 'broken' });
    await upstream.untilClosed(1);
    expect(timers.armed).toBe(0);
  });

  it('S06 is "unavailable" for a connection cut in the middle', async () => {
    upstream.script = (response) => {
      frames(response, [tokenFrame([5])]);
      response.write('data: {"cho', () => response.destroy());
    };
    expect(await failureOf(streamed())).toMatchObject({ kind: 'unavailable' });
  });

  it('S12 is "unavailable" for silence before the answer and inside of it', async () => {
    upstream.script = () => timers.fire(SILENCE_MS);
    expect(await failureOf(streamed())).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(client().complete({ prompt: [1] }, signal))).toMatchObject({
      kind: 'unavailable',
    });
    upstream.script = (response) => frames(response, [tokenFrame([5])]);
    const stream = client().stream({ prompt: [1] }, signal);
    await stream.next();
    const next = failureOf(stream.next());
    timers.fire(SILENCE_MS);
    expect(await next).toMatchObject({ kind: 'unavailable' });
    await upstream.untilClosed(3);
  });

  it('S12 is not: every piece of an answer is a sign of life, a comment and a blank, too', async () => {
    const alive = async (response: Parameters<Script>[0], type: string, piece: string) => {
      response.writeHead(200, { 'content-type': type });
      response.flushHeaders();
      await timers.untilSet();
      for (let time = 0; time < 3; time++) {
        response.write(piece);
        await timers.untilSet();
      }
    };
    upstream.script = (response, body) => {
      void (async () => {
        if (body.stream !== true) {
          await alive(response, 'application/json', ' ');
          return response.end(JSON.stringify(tokenFrame([5], 'stop')));
        }
        await alive(response, 'text/event-stream', ': keep-alive\n\n');
        frames(response, [tokenFrame([5]), '[DONE]']);
        return response.end();
      })();
    };
    expect(await streamed()).toHaveLength(1);
    expect((await client().complete({ prompt: [1] }, signal)).choices).toHaveLength(1);
    expect(timers.armed).toBe(0);
  });

  it('S12 is "unavailable" for an answer that is kept alive for ten times as long', async () => {
    upstream.script = (response) => frames(response, [tokenFrame([5])]);
    const stream = client().stream({ prompt: [1] }, signal);
    await stream.next();
    const next = failureOf(stream.next());
    timers.fire(10 * SILENCE_MS);
    expect(await next).toMatchObject({ kind: 'unavailable' });
    await upstream.untilClosed(1);
    expect(timers.armed).toBe(0);
  });

  it('never carries a text of the upstream in its message', async () => {
    upstream.script = (response) =>
      json(response, 400, { error: { message: 'your prompt was: I lost my dog' } });
    const error = await client()
      .complete({ prompt: [1] }, signal)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineFailure);
    expect(String(error)).not.toContain('dog');
  });
});

describe('an abort', () => {
  it('G01 throws its reason and closes the connection, before the answer and inside of it', async () => {
    for (const begin of [false, true]) {
      const control = new AbortController();
      const reason = new Error('left');
      const closed = upstream.closed;
      upstream.script = (response) => {
        if (begin) frames(response, [tokenFrame([5])]);
        else control.abort(reason);
      };
      const run = async () => {
        for await (const _ of client().stream({ prompt: [1] }, control.signal)) {
          control.abort(reason);
        }
      };
      await expect(run()).rejects.toBe(reason);
      await upstream.untilClosed(closed + 1);
    }
    expect(timers.armed).toBe(0);
  });

  it('before the beginning sends nothing', async () => {
    await expect(streamed(client(), AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(upstream.bodies).toEqual([]);
  });

  it('a consumer that stops reading closes the connection', async () => {
    upstream.script = (response) => frames(response, [tokenFrame([5])]);
    for await (const _ of client().stream({ prompt: [1] }, signal)) break;
    await upstream.untilClosed(1);
  });
});
