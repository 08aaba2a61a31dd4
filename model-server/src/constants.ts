/** Every magic number of the model server, with its reason. */

/** Conversations in progress at once, in shared batches (engine/batching.ts). */
export const DEFAULT_SEQUENCES = 8;
/** Requests that may wait for a sequence; above that the honest answer is 429. */
export const DEFAULT_QUEUE_LENGTH = 16;
/**
 * Tokens per sequence (prompt and reply). The model was trained on conversations of at most 512
 * tokens, and each 256 tokens cost 6 MB per sequence: 190 MB for eight of 1,024, taken at the start.
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
 * Tokens of prompts and given replies in a batch that also continues replies: everyone who reads
 * along waits for them. So many take about as long as a token of each of eight replies.
 */
export const FILL_BESIDE_REPLIES = 16;
/**
 * A gap of so many idle sequences is bridged with a token each (engine/batching.ts). On two cores a
 * further pass over the weights takes 22 ms and a further token in a pass 3 ms, with one thread 26
 * and 10.
 */
export const MAX_GAP = 2;
/**
 * Probabilities at the heads are relative to this many of the likeliest tokens; sorting more costs
 * time (engine/row-reader.ts). What lies beyond 4,096 was 0.0002 of the distribution after 32
 * training steps and only shrinks with training.
 */
export const HEAD_CANDIDATES = 4_096;
/**
 * The same for scored replies: log probabilities are too high by about 0.00001 on average (0.0002 at
 * most in the 16 tokens compared), also those of tokens beyond them.
 */
export const SCORE_CANDIDATES = 16_384;
/**
 * Given replies are read in pieces of so many tokens (1.6 ms each, beside their evaluation): most
 * are one piece, and between pieces one sees whether the client is still there.
 */
export const SCORED_TOKENS_AT_ONCE = 32;
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

/** Body limit of every route. 16,000 characters of message and a long history fit many times. */
export const MAX_BODY_BYTES = 1_048_576;
/** The API needs six levels; a megabyte of brackets must not cost a walk with paths of that length. */
export const MAX_JSON_DEPTH = 32;
/** OpenAI's limit. */
export const MAX_STOP_STRINGS = 4;
/** Longer ones would hold the stream back for no use. */
export const MAX_STOP_LENGTH = 128;
/** vLLM's end tokens per request; a vocabulary has a handful. */
export const MAX_STOP_TOKENS = 64;
/** Every slot and control token of the vocabulary (about 65), and what a repetition forbids. */
export const MAX_LOGIT_BIASES = 512;
/** The widest head has 32 tokens; a slot trained to hold 0.99 of the mass fits twice. */
export const MAX_COMPLETION_LOGPROBS = 64;
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

/**
 * A raw prompt belongs to the sequence that holds all of it (of an echo: of what stands before it) but
 * so many tokens: the slots at its end
 * are other ones in the next turn.
 */
export const RAW_ANCHOR_TAIL = 8;
/** Likeliest tokens asked of a remote engine at a slot: what vLLM gives with `--max-logprobs 64`. */
export const REMOTE_LOGPROBS = 64;
/** Less of the distribution on a head's tokens, and the remote model was not trained with our slots. */
export const MIN_HEAD_MASS = 0.5;
/** Longest silence of a remote engine: a full queue and a long prompt, but not a dead machine. */
export const DEFAULT_REMOTE_TIMEOUT_MS = 30_000;
/** Pauses between looks at a remote engine that is not up yet: the first, doubling to the last. */
export const REMOTE_RETRY_FIRST_MS = 500;
export const REMOTE_RETRY_LAST_MS = 10_000;
/** Of an upstream's own words in a start error: enough to name the option that is missing. */
export const UPSTREAM_WORDS = 300;
