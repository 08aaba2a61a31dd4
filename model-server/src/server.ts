/** Starting and stopping the model server. */
import { randomInt } from 'node:crypto';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import {
  DEFAULT_KEEP_ALIVE_MS,
  DEFAULT_QUEUE_LENGTH,
  DEFAULT_SEQUENCES,
  DEFAULT_SHUTDOWN_MS,
  FLUSH_MS,
  HTTP_KEEP_ALIVE_MS,
  SEED_MODULUS,
  SWEEP_MS,
} from './constants.ts';
import { EngineStartError } from './engine/start-error.ts';
import type { Engine } from './engine/types.ts';
import { createApp } from './http/app.ts';
import type { EngineState, ServerContext } from './http/context.ts';
import { Running } from './http/running.ts';
import type { LogRecord } from './log.ts';
import { Metrics } from './metrics/metrics.ts';
import { Queue } from './queue/queue.ts';
import { loadRetrieval, type Retrieval } from './select/retrieval.ts';
import { type RemoteEngineOptions, startEngine } from './start-engine.ts';

export type { LogRecord } from './log.ts';

/** Options of a server; only the weights are needed. */
export interface ServerOptions {
  /** First shard, single `.gguf` file, or the folder of the model. */
  readonly modelPath: string;
  /** The engine; default: llama.cpp in this process. Of `modelPath` only the vocabulary is then used. */
  readonly remote?: RemoteEngineOptions;
  /** Path of an index of human replies (select/build-index.ts). Default: none. */
  readonly retrievalIndex?: string;
  /** 0 takes a free one. Default 8788. */
  readonly port?: number;
  /** Default 127.0.0.1; another address needs a token. */
  readonly host?: string;
  /** Bearer token; without one only the loopback address is served. */
  readonly token?: string;
  /** Conversations in progress at once. Default 8. */
  readonly sequences?: number;
  /** Requests that may wait. Default 16. */
  readonly queueLength?: number;
  /** Tokens per sequence. Default 1024. */
  readonly contextSize?: number;
  /** Threads of llama.cpp. Default: all cores but one, at least one. */
  readonly threads?: number;
  /** Default false: CPU. */
  readonly gpu?: 'auto' | false;
  /** Milliseconds between comment frames of a stream. Default 15 s. */
  readonly keepAliveMs?: number;
  /** Milliseconds that running replies get at shutdown. Default 4 s. */
  readonly shutdownMs?: number;
  readonly log?: (record: LogRecord) => void;
  /** Puts something in front of the engine (fault injection, recording). */
  readonly wrapEngine?: (engine: Engine) => Engine;
}

/** A running server. */
export interface RunningServer {
  /** Base URL without `/v1`. */
  readonly url: string;
  readonly port: number;
  /** False while a remote engine is not up yet; `/readyz` and all work are then 503. */
  engineIsReady(): boolean;
  /**
   * Resolves when a remote engine that was waited for can never come up, because of a fault in this
   * process; it was reported. Otherwise it stays pending.
   */
  readonly hopeless: Promise<void>;
  /** Refuse new requests, let running ones finish for a while, then end them; frees the model. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 8_788;

/**
 * Listen at once (`/healthz` answers, everything else is 503) and load the model; resolves when the
 * server is ready, or when it begins to wait for a remote engine that is not up yet.
 * @throws EngineStartError when the weights or the remote engine cannot be served, and the system's
 *   error when the port is taken
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = options.log ?? (() => {});
  const token = options.token === undefined || options.token === '' ? null : options.token;
  const host = token === null ? LOOPBACK : (options.host ?? LOOPBACK);
  if (token === null) {
    const message =
      'No MODEL_SERVER_TOKEN: everyone on this machine may use the server, and only 127.0.0.1 is served.';
    log({ level: 'warn', event: 'no_token', message });
  }
  const sequences = options.sequences ?? DEFAULT_SEQUENCES;
  let state: EngineState = { state: 'loading' };
  const retrieval = await readRetrieval(options.retrievalIndex);
  const parts = { token, sequences, retrieval, log, state: () => state };
  const context = makeContext(options, parts);
  const { server, port } = await listen(
    createApp(context).fetch,
    host,
    options.port ?? DEFAULT_PORT,
  );
  const waiting = new AbortController();
  const engine = startEngine(options, { sequences, log, signal: waiting.signal });
  const ready = engine.loaded.then((loaded) => {
    state = { state: 'ready', engine: options.wrapEngine?.(loaded) ?? loaded };
  });
  try {
    await Promise.race([ready, engine.delayed]);
  } catch (error) {
    await closeListener(server);
    throw error;
  }
  let giveUp = () => {};
  const hopeless = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  if (state.state === 'loading') {
    ready.then(
      () => log({ level: 'info', event: 'engine_up' }),
      (error) => {
        if (waiting.signal.aborted) return;
        context.report(error);
        giveUp();
      },
    );
  }
  let closing: Promise<void> | null = null;
  const close = async () => {
    waiting.abort();
    // Nobody waits any longer for an engine that never came up.
    if (state.state === 'loading') await ready.catch(() => {});
    const engine = state.state === 'ready' ? state.engine : null;
    state = { state: 'closing', engine };
    const timer = setTimeout(
      () => context.running.endAll('shutting_down'),
      options.shutdownMs ?? DEFAULT_SHUTDOWN_MS,
    );
    await context.queue.idle();
    clearTimeout(timer);
    await closeListener(server);
    await engine?.close();
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    engineIsReady: () => state.state === 'ready',
    hopeless,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function readRetrieval(path: string | undefined): Promise<Retrieval | null> {
  if (path === undefined) return null;
  const retrieval = await loadRetrieval(path);
  if (!retrieval.ok) throw new EngineStartError(retrieval.failure.message);
  return retrieval.value;
}

function makeContext(
  options: ServerOptions,
  parts: {
    readonly token: string | null;
    readonly sequences: number;
    readonly retrieval: Retrieval | null;
    readonly log: (record: LogRecord) => void;
    readonly state: () => EngineState;
  },
): ServerContext {
  const metrics = new Metrics();
  const queue = new Queue({
    permits: parts.sequences,
    length: options.queueLength ?? DEFAULT_QUEUE_LENGTH,
    now: () => performance.now(),
  });
  metrics.gauge('attune_sequences_busy', 'Sequences in use.', () => queue.busy);
  metrics.gauge('attune_queue_waiting', 'Requests that wait for a sequence.', () => queue.waiting);
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () =>
    process.memoryUsage.rss(),
  );
  return {
    engineState: parts.state,
    queue,
    running: new Running(),
    metrics,
    ...(parts.retrieval === null ? {} : { retrieval: parts.retrieval }),
    token: parts.token,
    keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
    now: () => Date.now(),
    randomSeed: () => randomInt(SEED_MODULUS),
    report: (error) => {
      const name = error instanceof Error ? error.name : 'unknown';
      const message = error instanceof Error ? error.message : '';
      parts.log({ level: 'error', event: 'engine_error', name, message });
    },
  };
}

type Fetch = Parameters<typeof serve>[0]['fetch'];

/** Resolves once the port is bound; rejects with the system's error otherwise. */
function listen(
  fetch: Fetch,
  hostname: string,
  wanted: number,
): Promise<{ readonly server: ReturnType<typeof serve>; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch, hostname, port: wanted, overrideGlobalObjects: false },
      ({ port }) => {
        server.off('error', reject);
        resolve({ server, port });
      },
    );
    server.once('error', reject);
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = HTTP_KEEP_ALIVE_MS;
  });
}

/**
 * Stop listening and let answers that are on their way out leave. A connection whose answer is out
 * would stay for its keep-alive time, so idle ones are closed again and again; after a second only
 * readers that do not read are left, and they are cut.
 */
function closeListener(server: ReturnType<typeof serve>): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => {
      if (isHttpServer(server)) server.closeIdleConnections();
    }, SWEEP_MS);
    const cut = setTimeout(() => {
      if (isHttpServer(server)) server.closeAllConnections();
    }, FLUSH_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}

function isHttpServer(server: ReturnType<typeof serve>): server is Server {
  return 'closeIdleConnections' in server;
}
