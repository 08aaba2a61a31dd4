/** From HTTP statuses to failures of the engine. */
import { MAX_RETRY_SECONDS, MIN_RETRY_SECONDS } from '../../constants.ts';
import { EngineFailure } from '../failure.ts';

/** HTTP statuses that say "not now" rather than "not so" (502, 503, 504). */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
/** HTTP statuses about our own token. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/**
 * What a status other than 2xx means.
 * @param retryAfter the header of that name
 * @param words the upstream's message; of a refused token it may quote a part, so then it is dropped
 */
export function failureOfStatus(
  status: number,
  retryAfter: string | null,
  words: string,
): EngineFailure {
  const kind = status === 429 ? 'busy' : UNAVAILABLE.has(status) ? 'unavailable' : 'broken';
  return new EngineFailure(kind, `the remote engine answered ${status}`, {
    retryAfter: readRetryAfter(retryAfter),
    words: REFUSED.has(status) ? '' : words,
    status,
  });
}

/** Seconds of a Retry-After header within our own bounds; null for a date or nonsense. */
function readRetryAfter(header: string | null): number | null {
  const seconds = Math.ceil(Number(header ?? Number.NaN));
  if (!Number.isFinite(seconds)) return null;
  return Math.min(MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, seconds));
}
