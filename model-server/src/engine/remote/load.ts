/** Starting the remote engine: our vocabulary first, then the server, however long it takes. */
import { REMOTE_RETRY_FIRST_MS, REMOTE_RETRY_LAST_MS } from '../../constants.ts';
import { findFirstShard } from '../shards.ts';
import { EngineStartError } from '../start-error.ts';
import { loadTokenizer, type Tokenizer } from '../tokenizer.ts';
import type { Engine } from '../types.ts';
import { CompletionsClient } from './client.ts';
import { type ProbeOptions, probe } from './probe.ts';
import { RemoteEngine } from './remote-engine.ts';

/** How to reach the engine. */
export interface RemoteOptions extends ProbeOptions {
  /** First shard, single file or folder: its vocabulary is ours. */
  readonly vocabularyPath: string;
  /** Base URL, with or without `/v1`. */
  readonly url: string;
  /** Bearer token; null for none. */
  readonly token: string | null;
  /** Requests in progress at once. */
  readonly sequences: number;
  /** Longest silence in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the waiting; the promise then rejects with its reason. */
  readonly signal: AbortSignal;
  /** Receives llama.cpp's own warnings. */
  readonly warn: (message: string) => void;
  /** Told of every failed look at the server, and why. */
  readonly onWaiting: (message: string) => void;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Load the vocabulary and look at the server until it can be used.
 *
 * A server that is not up yet is waited for: it may take minutes to load its weights, and whoever
 * starts both at once has done nothing wrong. A server that is unfit at the first look is an error;
 * later it is told and looked at again, since someone may be mending it.
 * @throws EngineStartError
 */
export async function loadRemoteEngine(options: RemoteOptions): Promise<Engine> {
  const shard = findFirstShard(options.vocabularyPath);
  if (!shard.ok) throw new EngineStartError(shard.failure.message);
  const loaded = await loadTokenizer(shard.value, options.warn);
  if (!loaded.ok) throw new EngineStartError(loaded.failure.message);
  try {
    return await connect(options, loaded.value);
  } catch (error) {
    await loaded.value.close();
    throw error;
  }
}

async function connect(options: RemoteOptions, tokenizer: Tokenizer): Promise<Engine> {
  const { url, token, timeoutMs, signal } = options;
  const client = new CompletionsClient({ url, token, timeoutMs });
  let pauseMs = REMOTE_RETRY_FIRST_MS;
  for (let first = true; ; first = false) {
    const found = await probe(client, tokenizer, options, signal);
    if (found.ok) {
      const { contextSize, sequences } = options;
      return new RemoteEngine({ ...found.value, tokenizer, contextSize, sequences });
    }
    if (first && found.failure.kind === 'unfit') throw new EngineStartError(found.failure.message);
    options.onWaiting(found.failure.message);
    await options.pause(pauseMs, signal);
    signal.throwIfAborted();
    pauseMs = Math.min(pauseMs * 2, REMOTE_RETRY_LAST_MS);
  }
}
