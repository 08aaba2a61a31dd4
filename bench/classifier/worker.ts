/** The Worker that the classifier bench asks, and its stop-watch. */
import { fileURLToPath } from 'node:url';
import type { Alone } from '../serve-alone.ts';

export const WORKER = fileURLToPath(new URL('../classifier-worker.ts', import.meta.url));

/** Milliseconds of one request that classifies a message of `words` words `calls` times. */
export type Timer = (words: number, calls: number) => Promise<number>;

export function timer(worker: Alone): Timer {
  return async function time(words, calls) {
    const start = performance.now();
    await worker.get(`/?words=${words}&calls=${calls}`);
    return performance.now() - start;
  };
}
