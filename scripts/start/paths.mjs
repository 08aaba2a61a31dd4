/** Where things are: derived from this file, so that the current folder does not matter. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Folder of everything that outlives a start: the demo key, stored sessions, logs. `ATTUNE_HOME`
 * moves it, for instance for a second instance beside the first.
 */
export const HOME = resolve(process.env.ATTUNE_HOME ?? join(ROOT, '.attune'));

/** Folder of the weights that the repository carries. */
export const MODEL_DIR = join(ROOT, 'model-server', 'models', 'attune-135m');
