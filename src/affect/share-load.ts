/** One load for all who ask at once, kept when it succeeded, tried again after a while when not. */
import type { Result } from '../result.ts';

/**
 * @param input.load starts an attempt; must not reject.
 * @param input.now milliseconds; only differences count.
 * @param input.retryAfterMs how long a failure is handed out before the next call tries again.
 * @returns a function that gives the result of the attempt in progress or of the last one.
 */
export function shareLoad<T, F>(input: {
  readonly load: () => Promise<Result<T, F>>;
  readonly now: () => number;
  readonly retryAfterMs: number;
}): () => Promise<Result<T, F>> {
  let attempt: Promise<Result<T, F>> | undefined;
  /** When the last attempt failed; undefined while one runs and after success. */
  let failedAt: number | undefined;

  async function loadOnce(): Promise<Result<T, F>> {
    const result = await input.load();
    if (!result.ok) failedAt = input.now();
    return result;
  }

  return function sharedLoad() {
    const due = failedAt !== undefined && input.now() - failedAt >= input.retryAfterMs;
    if (attempt === undefined || due) {
      failedAt = undefined;
      attempt = loadOnce();
    }
    return attempt;
  };
}
