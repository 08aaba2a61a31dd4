/** Starts a Worker of one's own in workerd, bundled as wrangler bundles the real one. */
import { fileURLToPath } from 'node:url';
import { unstable_startWorker } from 'wrangler';
import { ended, inTime } from '../eval/in-time.ts';
import { OFFLINE } from '../eval/serve.ts';

/** A Worker whose bundle does not build never answers; this is how long is waited for it. */
const ANSWER_MS = 120_000;

const START_MS = 120_000;

export interface Alone {
  /** GET a path; the body, or an error with the status. */
  get(path: string): Promise<string>;
  /** POST bytes to a path; the body, or an error with the status. */
  post(path: string, bytes: Uint8Array): Promise<string>;
  /** Where V8's inspector answers (a web socket); only when it was asked for. */
  readonly inspector: string | undefined;
  close(): Promise<void>;
}

/**
 * A fresh isolate on a free port of 127.0.0.1.
 * @param entry path of the entry point
 * @param inspect whether V8's inspector listens too, on another free port of 127.0.0.1
 * @throws when it is not ready within two minutes
 */
export async function serveAlone(
  entry: string,
  { inspect = false }: { readonly inspect?: boolean } = {},
): Promise<Alone> {
  Object.assign(process.env, OFFLINE);
  const starting = unstable_startWorker({
    config: fileURLToPath(new URL('./alone.toml', import.meta.url)),
    entrypoint: entry,
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: inspect ? { hostname: '127.0.0.1', port: 0 } : false,
      persist: false,
      watch: false,
      logLevel: 'error',
    },
  });
  const start = starting.then(async (worker) => ({
    worker,
    origin: (await worker.url).origin,
    inspector: inspect ? await inspectorOf(worker.inspectorUrl) : undefined,
  }));
  const { worker, origin, inspector } = await inTime(start, {
    ms: START_MS,
    what: 'the start of a Worker',
  });
  async function ask(path: string, init: RequestInit): Promise<string> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(origin + path, { ...init, signal }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : typeof error;
      throw new Error(`${path} was not answered: ${reason}`);
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
    return body;
  }
  return {
    get: (path) => ask(path, {}),
    post: (path, bytes) => ask(path, { method: 'POST', body: new Uint8Array(bytes) }),
    inspector,
    close: () => ended(worker.dispose()),
  };
}

async function inspectorOf(url: Promise<URL | undefined>): Promise<string | undefined> {
  const host = (await url)?.host;
  return host === undefined ? undefined : `ws://${host}/ws`;
}
