/**
 * The in-process engine: llama.cpp through node-llama-cpp. It never downloads and never compiles:
 * only the prebuilt binary of the installed package is used.
 */
import { getLlama, type Llama, LlamaLogLevel } from 'node-llama-cpp';
import { BATCH_TOKENS } from '../constants.ts';
import { oneAtATime } from './batching.ts';
import { LlamaEngine } from './llama-engine.ts';
import { findFirstShard } from './shards.ts';
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

/** The server cannot start; the message says what to do. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
}

/**
 * Load a model.
 * @throws EngineStartError when a shard is missing or the weights lack the slot vocabulary
 */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const shard = findFirstShard(options.modelPath);
  if (!shard.ok) throw new EngineStartError(shard.failure.message);
  const llama = await getLlama({
    gpu: options.gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger: (_level, message) => options.warn(message.trim()),
  });
  try {
    return await loadModel(llama, shard.value, options);
  } catch (error) {
    await llama.dispose();
    throw error;
  }
}

async function loadModel(llama: Llama, path: string, options: EngineOptions): Promise<Engine> {
  const model = await llama.loadModel({
    modelPath: path,
    ...(options.gpu === false ? { gpuLayers: 0 } : {}),
  });
  const vocabulary = readVocabulary(model);
  if (!vocabulary.ok) throw new EngineStartError(vocabulary.failure.message);
  const context = await model.createContext({
    sequences: options.sequences,
    contextSize: options.contextSize,
    batchSize: BATCH_TOKENS,
    threads: options.threads,
    batching: { itemPrioritizationStrategy: oneAtATime },
  });
  return new LlamaEngine({ llama, model, context, vocabulary: vocabulary.value });
}
