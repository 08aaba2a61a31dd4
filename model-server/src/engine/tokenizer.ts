/** The vocabulary of a GGUF file without its weights: texts to ids and back for a remote engine. */
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { failed, type Result, success } from '../result.ts';
import { unreadable } from './start-error.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

/** A loaded vocabulary. */
export interface Tokenizer {
  readonly vocabulary: Vocabulary<number>;
  /** Text to tokens, special tokens off. */
  readonly encode: (text: string) => readonly number[];
  close(): Promise<void>;
}

/** Why there is none; the message says what to do. */
export interface TokenizerFailure {
  readonly message: string;
}

/**
 * Load the vocabulary of a model; its tensors stay on the disk.
 * @param path first shard or single file, with its siblings beside it
 * @param warn receives llama.cpp's own warnings
 * @throws EngineStartError when the file cannot be read
 */
export async function loadTokenizer(
  path: string,
  warn: (message: string) => void,
): Promise<Result<Tokenizer, TokenizerFailure>> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger: (_level, message) => warn(message.trim()),
  });
  try {
    const model = await llama
      .loadModel({ modelPath: path, gpuLayers: 0, vocabOnly: true })
      .catch(unreadable(path));
    const vocabulary = readVocabulary(model);
    if (!vocabulary.ok) {
      await llama.dispose();
      return failed(vocabulary.failure);
    }
    return success({
      vocabulary: vocabulary.value,
      encode: (text) => model.tokenize(text, false),
      close: async () => {
        await model.dispose();
        await llama.dispose();
      },
    });
  } catch (error) {
    await llama.dispose();
    throw error;
  }
}
