/**
 * The in-process engine: llama.cpp through node-llama-cpp. It never downloads and never compiles:
 * only the prebuilt binary of the installed package is used.
 */
import { getLlama, type Llama, LlamaLogLevel } from 'node-llama-cpp';
import { BATCH_TOKENS } from '../constants.ts';
import { LlamaEngine } from './llama-engine.ts';
import { checkManifest } from './manifest.ts';
import { openNative } from './native.ts';
import { findFirstShard } from './shards.ts';
import { EngineStartError, unreadable } from './start-error.ts';
import type { Engine } from './types.ts';
import { readVocabulary } from './vocabulary.ts';

/** How to load a model. */
export interface EngineOptions {
  /** First shard, single file, or folder. */
  readonly modelPath: string;
  /** Conversations in progress at once. */
  readonly sequences: number;
  /** Tokens per sequence. */
  readonly contextSize: number;
  /** CPU threads of llama.cpp. */
  readonly threads: number;
  /** `auto` takes CUDA, Vulkan or Metal where the binary for it is installed. */
  readonly gpu: 'auto' | false;
  /** Receives llama.cpp's own warnings; they hold no texts. */
  readonly warn: (message: string) => void;
}

/**
 * Load a model.
 * @throws EngineStartError when a shard is missing or corrupt, or the weights lack the slot
 *   vocabulary
 */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const shard = findFirstShard(options.modelPath);
  if (!shard.ok) throw new EngineStartError(shard.failure.message);
  // Hashing and the loading of llama.cpp itself keep different threads busy.
  const checked = checkManifest(shard.value);
  const llama = await getLlama({
    gpu: options.gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger: (_level, message) => options.warn(message.trim()),
  });
  try {
    const intact = await checked;
    if (!intact.ok) throw new EngineStartError(intact.failure.message);
    return await loadModel(llama, shard.value, options);
  } catch (error) {
    await llama.dispose();
    throw error;
  }
}

async function loadModel(llama: Llama, path: string, options: EngineOptions): Promise<Engine> {
  const gpuLayers = options.gpu === false ? { gpuLayers: 0 } : {};
  const model = await llama.loadModel({ modelPath: path, ...gpuLayers }).catch(unreadable(path));
  const vocabulary = readVocabulary(model);
  if (!vocabulary.ok) throw new EngineStartError(vocabulary.failure.message);
  const context = await model.createContext({
    sequences: options.sequences,
    contextSize: options.contextSize,
    batchSize: BATCH_TOKENS,
    threads: options.threads,
  });
  const native = openNative({ llama, model, context });
  if (!native.ok) throw new EngineStartError(native.failure.message);
  return new LlamaEngine({
    llama,
    model,
    context,
    native: native.value,
    vocabulary: vocabulary.value,
  });
}
