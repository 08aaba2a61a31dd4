/** Starting and stopping. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFirstShard } from '../src/engine/shards.ts';
import type { LogRecord } from '../src/server.ts';
import { defaultThreads } from '../src/start-engine.ts';
import { failureOf, get, post, readStream, startTestServer, user } from './support/client.ts';
import { Gate } from './support/engines.ts';
import { MODEL_PATH } from './support/model.ts';

const PATH = '/v1/chat/completions';
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

/** A folder with links to the shards of the model, except some. */
function modelWithout(missing: (name: string) => boolean): string {
  const first = findFirstShard(MODEL_PATH);
  if (!first.ok) throw new Error(first.failure.message);
  const folder = mkdtempSync(join(tmpdir(), 'attune-model-'));
  cleanup.push(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(dirname(first.value))) {
    if (name.endsWith('.gguf') && !missing(name))
      symlinkSync(join(dirname(first.value), name), join(folder, name));
  }
  return folder;
}

describe('starting', () => {
  it('names a missing shard', async () => {
    const folder = modelWithout((name) => /-00002-of-/.test(name));
    await expect(startTestServer({ modelPath: folder })).rejects.toThrow(
      /shard missing: .*-00002-of-/,
    );
  });

  it('without a token listens on the loopback address only, and says so', async () => {
    const log: LogRecord[] = [];
    const server = await startTestServer({
      token: '',
      host: '0.0.0.0',
      sequences: 1,
      log: (record) => log.push(record),
    });
    cleanup.push(() => server.close());
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(log[0]).toMatchObject({ level: 'warn', event: 'no_token' });
    expect((await get(server, '/v1/models', null)).status).toBe(200);
    const elsewhere = new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.2', port: server.port });
      socket.once('error', () => resolve('refused'));
      socket.once('connect', () => {
        socket.destroy();
        resolve('connected');
      });
    });
    expect(await elsewhere).toBe('refused');
  });

  it('leaves one core to the edge and to Node', () => {
    expect([1, 2, 4, 16].map((cores) => defaultThreads(cores))).toEqual([1, 1, 3, 15]);
  });
});

describe('stopping', () => {
  it('refuses new requests with 503, lets running ones finish, then is gone', async () => {
    const gate = new Gate();
    const server = await startTestServer({
      sequences: 1,
      shutdownMs: 60_000,
      wrapEngine: (engine) => gate.before(engine),
    });
    const running = await post(server, PATH, { messages: user('Hi'), max_tokens: 3, stream: true });
    await gate.until(() => gate.started === 1);
    const closed = server.close();
    const refused = await post(server, PATH, { messages: user('Hi') });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await failureOf(refused)).toMatchObject({ status: 503, code: 'shutting_down' });
    const ready = await get(server, '/readyz', null);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reason: 'shutting_down' }),
    ]);
    gate.open();
    expect((await readStream(running)).data.at(-1)).toBe('[DONE]');
    await closed;
    await expect(get(server, '/healthz', null)).rejects.toThrow();
  });

  it('ends what still runs after its time, with an error in the stream', async () => {
    const gate = new Gate();
    const server = await startTestServer({
      sequences: 1,
      shutdownMs: 0,
      wrapEngine: (engine) => gate.before(engine),
    });
    const running = await post(server, PATH, {
      messages: user('Hi'),
      max_tokens: 200,
      stream: true,
    });
    const queued = await post(server, PATH, { messages: user('Hi'), stream: true });
    await gate.until(() => gate.started === 1);
    await Promise.all([server.close(), server.close()]);
    for (const response of [running, queued]) {
      const last: unknown = JSON.parse((await readStream(response)).data.at(-1) ?? '');
      expect(last).toMatchObject({ error: { code: 'shutting_down' } });
    }
  });
});

describe('weights that are no weights', () => {
  it('are refused by name when they are cut short or something else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-broken-'));
    cleanup.push(() => rmSync(folder, { recursive: true }));
    const whole = readFileSync(new URL('./fixtures/no-slots.gguf', import.meta.url));
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from('<html>')]) {
      writeFileSync(join(folder, 'm.gguf'), bytes);
      await expect(startTestServer({ modelPath: folder })).rejects.toThrow(
        /^m\.gguf cannot be loaded: .*Get the weights again/,
      );
    }
  });

  it('are refused when a shard is not the one of the manifest', async () => {
    const folder = modelWithout((name) => /-00004-of-/.test(name));
    const first = findFirstShard(MODEL_PATH);
    if (!first.ok) throw new Error(first.failure.message);
    const source = dirname(first.value);
    const [last] = readdirSync(source).filter((name) => /-00004-of-/.test(name));
    writeFileSync(join(folder, last ?? ''), 'not a shard');
    copyFileSync(join(source, 'manifest.json'), join(folder, 'manifest.json'));
    await expect(startTestServer({ modelPath: folder })).rejects.toThrow(
      /cut or foreign: .*-00004-of-.* has 11 bytes/,
    );
  });
});

describe('weights without slots', () => {
  it('are refused with words that say what to serve instead', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-vocab-'));
    cleanup.push(() => rmSync(folder, { recursive: true }));
    copyFileSync(new URL('./fixtures/no-slots.gguf', import.meta.url), join(folder, 'm.gguf'));
    await expect(startTestServer({ modelPath: folder })).rejects.toThrow(
      /no slot vocabulary: \d+ tokens are missing/,
    );
  });
});
