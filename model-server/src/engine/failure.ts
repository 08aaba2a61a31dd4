/** What can go wrong with an engine that is somewhere else, while it serves. */

/** `busy`: it has no room now. `unavailable`: down, or silent. `broken`: it answers nonsense. */
export type EngineFailureKind = 'busy' | 'unavailable' | 'broken';

/**
 * Thrown by a remote engine. The message names statuses and shapes, never texts or tokens, so that
 * it may be logged.
 */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  readonly kind: EngineFailureKind;
  /** Seconds after which another try is worth it; null when nobody knows. */
  readonly retryAfter: number | null;
  /** The upstream's own words. They may quote a prompt: not for a log, unless the prompt is ours. */
  readonly words: string;
  /** HTTP status; null when it never came to one. */
  readonly status: number | null;

  constructor(
    kind: EngineFailureKind,
    message: string,
    more: {
      readonly retryAfter?: number | null;
      readonly words?: string;
      readonly status?: number;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retryAfter = more.retryAfter ?? null;
    this.words = more.words ?? '';
    this.status = more.status ?? null;
  }
}
