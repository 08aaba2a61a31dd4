/** What keeps a server from starting. */
import { basename } from 'node:path';

/** The server cannot start; the message says what to do. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
}

/**
 * A handler for what the loader throws at a file: cut short, not GGUF, of an unknown architecture.
 * @param path the file that was to be loaded
 */
export function unreadable(path: string): (cause: unknown) => never {
  return function refuse(cause) {
    const message = `${basename(path)} cannot be loaded: the file is corrupt, or no GGUF of a model that this llama.cpp knows. Get the weights again (git checkout -- model-server/models, or "python -m lm.export"), or set MODEL_PATH to others.`;
    throw new EngineStartError(message, { cause });
  };
}
