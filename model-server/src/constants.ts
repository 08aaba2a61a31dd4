/** Every magic number of the model server, with its reason. */

/** Conversations in progress at once; they take turns token by token (engine/batching.ts). */
export const DEFAULT_SEQUENCES = 4;
/** Requests that may wait for a sequence; above that the honest answer is 429. */
export const DEFAULT_QUEUE_LENGTH = 16;
/**
 * Tokens per sequence (prompt and reply). The model was trained on conversations of at most 512
 * tokens, and each 256 tokens cost 6 MB per sequence: four of 2,048 would take the process from
 * about 480 MB to 570 MB.
 */
export const DEFAULT_CONTEXT_SIZE = 1_024;
/** llama.cpp rounds a context up to a multiple of this. */
export const CONTEXT_GRANULE = 256;
/** The smallest context that holds a persona, one message and one reply. */
export const MIN_CONTEXT_SIZE = 256;

/** Tokens of one llama.cpp batch: its compute buffers grow with it. */
export const BATCH_TOKENS = 128;
/**
 * A prompt is evaluated in pieces of this many tokens, so that a client that leaves during a long
 * prompt stops it within one piece, and other sequences go on in between.
 */
export const PREFILL_TOKENS = 64;
/**
 * Head readings look at this many of the likeliest tokens. Handing over all 49,216 costs about 50 ms
 * and 5 MB of garbage per slot; what lies beyond 4,096 was 0.0002 of the distribution after 32
 * training steps and only shrinks with training.
 */
export const HEAD_CANDIDATES = 4_096;
/**
 * The same for scored replies: log probabilities are too high by about 0.00001 on average (0.0002 at
 * most in the 16 tokens compared), at a third of the full price. A token beyond them is scored exactly.
 */
export const SCORE_CANDIDATES = 16_384;
/** Their maps take about 1 MB each. */
export const SCORED_TOKENS_AT_ONCE = 8;
/** Tokens kept free behind a reply: intent, end of turn, judge, and llama.cpp's own spare cell. */
export const CONTEXT_SPARE = 8;
/**
 * A text is cut to its newest part before it is tokenised: at most this many UTF-16 code units per
 * token of context. The longest text token has 28; long texts have about 4 per token.
 */
export const CHARACTERS_PER_TOKEN = 32;

/** Reply length when the client names none. Replies have 12–30 tokens; this only ends a run-away. */
export const DEFAULT_MAX_TOKENS = 256;

/** Sampling defaults for a 135M-parameter chat model: livelier is incoherent, colder repeats. */
export const DEFAULT_TEMPERATURE = 0.7;
export const DEFAULT_TOP_P = 0.9;
export const DEFAULT_MIN_P = 0.05;
/** Mild: at 1.1 function words of a short reply already suffer. */
export const DEFAULT_REPEAT_PENALTY = 1.05;
/** Candidates that the sampler sorts; nucleus and min-p cut long before. */
export const TOP_K = 100;
/** Generated tokens that the repetition penalties look at. */
export const PENALTY_WINDOW = 256;
/** No run of this many tokens of an earlier reply is said again: about one short sentence. */
export const NO_REPEAT_NGRAM = 6;
/** llama.cpp reads the seed 2^32 - 1 as "random", so seeds are taken modulo this. */
export const SEED_MODULUS = 0xffff_ffff;

/**
 * A probability below the smallest 32-bit float arrives as 0; its logarithm is reported as this
 * (natural log of 2^-149, rounded down), so that sums stay finite.
 */
export const LOG_ZERO = -104;

/** Uses of a sequence (four native samplers each) until garbage is collected in a quiet moment … */
export const COLLECT_AFTER_USES = 16;
/** … and until it is collected in any case. */
export const COLLECT_AT_LATEST = 64;

/** Body limit of every route. 16,000 characters of message and a long history fit many times. */
export const MAX_BODY_BYTES = 1_048_576;
/** The API needs six levels; a megabyte of brackets must not cost a walk with paths of that length. */
export const MAX_JSON_DEPTH = 32;
/** OpenAI's limit. */
export const MAX_STOP_STRINGS = 4;
/** Longer ones would hold the stream back for no use. */
export const MAX_STOP_LENGTH = 128;
/** Replies scored by one request over one prompt. */
export const MAX_SCORED_REPLIES = 128;
/** Proxies and clients drop silent streams; 15 s is well under the usual 30–60 s. */
export const DEFAULT_KEEP_ALIVE_MS = 15_000;
/** Running replies get this long at shutdown: several times a reply, below usual kill timers. */
export const DEFAULT_SHUTDOWN_MS = 4_000;
/** At shutdown: how often connections are looked at, and how long a last answer may take to leave. */
export const SWEEP_MS = 20;
export const FLUSH_MS = 1_000;
/** Node's default of 5 s races with callers that keep connections for a minute. */
export const HTTP_KEEP_ALIVE_MS = 65_000;
/** A proof of readiness holds this long, so that a poller cannot load the engine. */
export const READY_PROOF_MS = 2_000;
/** Bounds of the Retry-After header, in seconds. */
export const MIN_RETRY_SECONDS = 1;
export const MAX_RETRY_SECONDS = 60;
