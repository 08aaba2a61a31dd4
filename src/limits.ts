/** Every limit of the Worker, with the reason for its value. */

/** Longest message in UTF-16 code units: about ten pages, more than a person types at once. */
export const MAX_TEXT_CHARS = 16_000;

/** Largest body read at all; the rules must see the whole text, so it is read before it is judged. */
export const MAX_BODY_BYTES = 1_048_576;

/** Most texts or conversations in one `POST /v1/emotions`. */
export const MAX_EMOTION_BATCH = 32;

/** Most messages of one conversation in `POST /v1/emotions`; the classifier reads 128 tokens. */
export const MAX_EMOTION_MESSAGES = 64;

/** Most candidates in `POST /v1/rank`: what the usual measure, P@1 of 100, needs. */
export const MAX_CANDIDATES = 100;

/** Longest candidate in UTF-16 code units; a reply that people read has a tenth of it. */
export const MAX_CANDIDATE_CHARS = 2_000;

/** Longest wait for a ranking: a hundred candidates on a CPU, with the line before them. */
export const RANK_MS = 60_000;

/** Days a session is kept unless it says otherwise (docs/storage.md). */
export const DEFAULT_RETENTION_DAYS = 30;
export const MAX_RETENTION_DAYS = 365;

/** Days a turn on the crisis route is kept (C14: no longer than needed). */
export const CRISIS_RETENTION_DAYS = 7;

/** KV refuses a TTL under 60 s (K08). */
export const MIN_KV_TTL_SECONDS = 60;

/** Turns kept hot in the coordinator and given to the models; the rest stays in KV. */
export const CONTEXT_TURNS = 12;

/** Characters of context given to the model server, newest kept: well inside its 1,024 tokens. */
export const CONTEXT_CHARS = 3_000;

/** Longest reply in tokens: the training replies average 15, the longest are under 120. */
export const MAX_REPLY_TOKENS = 160;

/**
 * The model server sends its headers on enqueue, so a longer wait means that it is not well. One
 * second was tried: a busy two-core machine overran it on the first turn, and a person would sooner
 * wait two more seconds than be told that no answer can be written.
 */
export const UPSTREAM_HEADERS_MS = 3_000;

/** Longest silence inside an upstream stream before the turn ends as degraded or interrupted. */
export const UPSTREAM_STALL_MS = 15_000;

/** No turn runs longer; a Durable Object without a client is kept alive only about this long. */
export const TURN_MS = 60_000;

/** A message at the head of the queue whose Worker does not come back with `run` is closed. */
export const LEASE_MS = 10_000;

/** How long a turn goes on for a client that vanished before it is stopped. */
export const GRACE_MS = 20_000;

/** Comment frames keep proxies and strict clients from closing a quiet stream (S02, S03). */
export const KEEP_ALIVE_MS = 15_000;

/** Messages that may wait in one session; a person cannot read faster than that. */
export const MAX_QUEUED = 8;

/**
 * Missing turn numbers in a row after which a rebuild from KV takes the session to be complete:
 * refused turns leave gaps, and turns on the crisis route expire earlier than the others.
 */
export const MAX_TURN_GAP = 16;
