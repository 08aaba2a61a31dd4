/** Which engine serves, and how its loading is begun. */
import { availableParallelism } from 'node:os';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { DEFAULT_CONTEXT_SIZE, DEFAULT_REMOTE_TIMEOUT_MS } from './constants.ts';
import { loadEngine } from './engine/llama.ts';
import { loadRemoteEngine, type RemoteOptions } from './engine/remote/load.ts';
import type { Engine } from './engine/types.ts';
import type { LogRecord } from './log.ts';

/** A server of OpenAI's completion API that serves our weights. */
export interface RemoteEngineOptions {
  /** Base URL, with or without `/v1`. */
  readonly url: string;
  readonly token?: string;
  /** Name of the model there. Default: the first that it lists. */
  readonly model?: string;
  /** Whether it gives the probabilities of given tokens. Default `auto`: it is asked. */
  readonly scoring?: 'auto' | boolean;
  /** Longest silence in milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
  /** Pauses between looks at an engine that is not up; tests have their own. */
  readonly pause?: RemoteOptions['pause'];
}

/** The part of the server's options that the engine needs. */
export interface StartOptions {
  readonly modelPath: string;
  readonly remote?: RemoteEngineOptions;
  readonly contextSize?: number;
  readonly threads?: number;
  readonly gpu?: 'auto' | false;
}

/** Threads of llama.cpp on this machine: see the README, "Threads". */
export function defaultThreads(cores: number = availableParallelism()): number {
  return Math.max(1, cores - 1);
}

/** An engine on its way. */
export interface Starting {
  readonly loaded: Promise<Engine>;
  /** Resolves at the first failed look at a remote engine; never for the one in this process. */
  readonly delayed: Promise<void>;
}

/**
 * Begin to load the engine that the options name.
 * @param parts.signal ends the waiting for a remote engine
 */
export function startEngine(
  options: StartOptions,
  parts: {
    readonly sequences: number;
    readonly log: (record: LogRecord) => void;
    readonly signal: AbortSignal;
  },
): Starting {
  const { log, sequences, signal } = parts;
  const contextSize = options.contextSize ?? DEFAULT_CONTEXT_SIZE;
  const warn = (message: string) => log({ level: 'warn', event: 'llama', message });
  const { remote, modelPath } = options;
  if (remote === undefined) {
    const threads = options.threads ?? defaultThreads();
    const gpu = options.gpu ?? false;
    const loaded = loadEngine({ modelPath, sequences, contextSize, threads, gpu, warn });
    return { loaded, delayed: new Promise(() => {}) };
  }
  let delay = () => {};
  const delayed = new Promise<void>((resolve) => {
    delay = resolve;
  });
  const loaded = loadRemoteEngine({
    vocabularyPath: modelPath,
    url: remote.url,
    token: remote.token ?? null,
    model: remote.model ?? null,
    scoring: remote.scoring ?? 'auto',
    timeoutMs: remote.timeoutMs ?? DEFAULT_REMOTE_TIMEOUT_MS,
    contextSize,
    sequences,
    signal,
    warn,
    pause: remote.pause ?? ((ms, until) => pauseFor(ms, undefined, { signal: until })),
    onWaiting: (message) => {
      log({ level: 'warn', event: 'engine_not_up', message });
      delay();
    },
  });
  return { loaded, delayed };
}
