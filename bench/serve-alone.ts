/** Starts a Worker of one's own in workerd, bundled as wrangler bundles the real one. */
import { fileURLToPath } from 'node:url';
import { unstable_startWorker } from 'wrangler';
import { OFFLINE } from '../eval/serve.ts';

/** A Worker whose bundle does not build never answers; this is how long is waited for it. */
const ANSWER_MS = 120_000;

export interface Alone {
  /** GET a path; the body, or an error with the status. */
  get(path: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * A fresh isolate on a free port of 127.0.0.1.
 * @param entry path of the entry point
 */
export async function serveAlone(entry: string): Promise<Alone> {
  Object.assign(process.env, OFFLINE);
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL('./alone.toml', import.meta.url)),
    entrypoint: entry,
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      persist: false,
      watch: false,
      logLevel: 'error',
    },
  });
  const origin = (await worker.url).origin;
  return {
    async get(path) {
      const response = await fetch(origin + path, { signal: AbortSignal.timeout(ANSWER_MS) });
      const body = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
      return body;
    },
    close: () => worker.dispose(),
  };
}
