/** What can go wrong between the page and the service, as plain data. */
import type { Resource } from '../../../src/safety/types.ts';
import { readResource } from './events.ts';
import { finite, json, list, record, text } from './narrow.ts';

/** A failed request or turn. Holds nothing of what the person wrote. */
export type Failure =
  /** No connection, or no answer within the deadline. */
  | { readonly kind: 'unreachable' }
  /** The stream ended, broke or fell silent before a terminal event. */
  | { readonly kind: 'cut' }
  /** The person or the page ended it. */
  | { readonly kind: 'aborted' }
  /**
   * An answer outside 2xx. `retryAfter` in seconds; `resources` are the helplines that come with
   * the refusal of a message that speaks of danger.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly retryAfter: number | null;
      readonly resources: readonly Resource[];
    }
  /** An `error` event inside the stream. `retryAfter` in seconds. */
  | {
      readonly kind: 'turn';
      readonly code: string;
      readonly message: string;
      readonly retryAfter: number | null;
    };

/** A value or the reason why there is none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/**
 * @param response an answer outside 2xx; its body is read
 * @returns the failure; a body of another shape (a proxy's HTML page) gives an empty message
 */
export async function readRefusal(response: Response): Promise<Failure> {
  const body = await response.text().catch(() => '');
  const answer = record(json(body));
  const error = record(answer?.get('error'));
  const header = response.headers.get('retry-after');
  return {
    kind: 'refused',
    status: response.status,
    code: text(error?.get('code')) ?? 'unknown',
    message: text(error?.get('message')) ?? '',
    retryAfter: header === null || header.trim() === '' ? null : finite(Number(header)),
    resources: list(answer?.get('resources'), readResource),
  };
}
