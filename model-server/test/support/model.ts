/** Which weights the tests use: the committed ones, or ATTUNE_TEST_MODEL. Nothing may depend on how well they answer. */
import { DEFAULT_MODEL_PATH } from '../../src/config.ts';

/** A folder or a first shard. */
export const MODEL_PATH = process.env['ATTUNE_TEST_MODEL'] || DEFAULT_MODEL_PATH;

/** llama.cpp's threads wait for each other by spinning; on a busy machine one is faster than two. */
export const THREADS = 1;
/** The smallest context that leaves room for a few turns: quick to allocate. */
export const CONTEXT_SIZE = 512;
