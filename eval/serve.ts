/** Starts what is measured: the real model server, the real Worker in workerd. Loopback only. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { unstable_startWorker } from 'wrangler';
import { ended, inTime } from './in-time.ts';

/** Nothing outside this machine is asked: no usage report, no newer versions, no place. */
export const OFFLINE = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 120_000;

/**
 * Longest wait for an answer. The first one comes when the bundle is built, and a full batch of long
 * conversations takes seconds on a busy machine.
 */
const ANSWER_MS = 120_000;

export interface Served {
  readonly url: string;
  readonly token: string;
  /** Process id of the server where it is a process of its own. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/**
 * The model server as its own process, as in production.
 * @throws when it is not ready within two minutes
 */
export async function serveModel(): Promise<Served> {
  const port = await freePort();
  const token = randomBytes(16).toString('hex');
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'model-server/src/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), MODEL_SERVER_TOKEN: token },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const deadline = Date.now() + START_MS;
  while (!(await answers(`${url}/readyz`))) {
    if (gone || Date.now() > deadline) {
      await close();
      throw new Error('the model server did not become ready');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, token, pid: child.pid, close };
}

/** For what the edge does without the model server. Port 9 is `discard`: nobody listens. */
export const NO_MODEL = { url: 'http://127.0.0.1:9', token: 'none' };

/**
 * The Worker in workerd, bundled by wrangler from wrangler.toml, in front of `model`.
 * @throws when it is not ready within two minutes
 */
export async function serveWorker(model: Pick<Served, 'url' | 'token'>): Promise<Served> {
  Object.assign(process.env, OFFLINE);
  const key = randomBytes(16).toString('hex');
  const starting = unstable_startWorker({
    config: `${ROOT}wrangler.toml`,
    bindings: {
      MODEL_SERVER_URL: { type: 'plain_text', value: model.url },
      MODEL_SERVER_TOKEN: { type: 'plain_text', value: model.token },
      API_KEY_SHA256: { type: 'plain_text', value: createHash('sha256').update(key).digest('hex') },
      // The shield is not what is measured.
      RATE_LIMITER: { type: 'ratelimit', namespace_id: '1001', simple: { limit: 1e9, period: 60 } },
    },
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      persist: false,
      watch: false,
      logLevel: 'error',
    },
  });
  const start = starting.then(async (worker) => ({ worker, url: await worker.url }));
  const { worker, url } = await inTime(start, { ms: START_MS, what: 'the start of the Worker' });
  return { url: url.origin, token: key, pid: undefined, close: () => ended(worker.dispose()) };
}

/**
 * POST JSON with the server's bearer token; the parsed body.
 * @param options.waitMs longest wait for the answer
 * @throws an error that names the status, or says that no answer came in time
 */
export async function postJson<T>(
  served: Served,
  path: string,
  body: unknown,
  { waitMs = ANSWER_MS }: { readonly waitMs?: number } = {},
): Promise<T> {
  const response = await fetch(served.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(waitMs),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : typeof error;
    throw new Error(`${path} was not answered: ${reason}`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${path} answered ${response.status}`);
  }
  return response.json() as Promise<T>;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
