/** Every number of the edge classifier that is not in `model/affect.json`, with its reason. */

/** The `format_version` of `affect.json` that this code reads (model/FORMAT.md). */
export const FORMAT_VERSION = 2;

/** Name of the graph's output with the emotion logits, float32 [batch, 32]. */
export const EMOTION_OUTPUT = 'emotion_logits';

/** Name of the graph's output with a saliency logit per token, float32 [batch, tokens]. */
export const CAUSE_OUTPUT = 'cause_logits';

/** Name of the graph's output with one column per entry of `scores` in `affect.json`. */
export const SCORE_OUTPUT = 'scores';

/** What is asked of the graph, in one run. */
export const OUTPUTS = [EMOTION_OUTPUT, CAUSE_OUTPUT, SCORE_OUTPUT] as const;

/** Names of the graph's inputs, both int64 [batch, tokens]. */
export const IDS_INPUT = 'input_ids';
export const MASK_INPUT = 'attention_mask';

/**
 * Below this probability of the top label the classifier abstains. Of the 2,851 histories of the report
 * half 5 % fall below, and of those one in nine is right, against .54 above (`npm run eval -- affect`:
 * `abstained_share`, `not_abstained_top1`); chatter and other languages mostly fall below too.
 */
export const LOW_CONFIDENCE = 0.2;

/**
 * Most cause words of the message that is judged, and of all messages before it. The message's own
 * have room of their own, so that a long history cannot crowd them out; more would be a list of all
 * words of a usual message.
 */
export const MAX_CAUSES = 8;
export const MAX_EARLIER_CAUSES = 4;

/**
 * A text with fewer words of its own is never called foreign: "no" and "me" are words of several
 * languages, and of the shortest English messages the detector errs most.
 */
export const LANGUAGE_WORDS = 2;

/**
 * From this share of words that the vocabulary holds whole a text is taken for English without asking
 * the detector (docs/decisions/2026-11-30-language-detector.md). 99 of 100 English turns reach it.
 */
export const ENGLISH_SHARE = 0.75;

/** Likewise from this share of English function words: "I had sushi with Giovanni in Guadalajara". */
export const GRAMMAR_SHARE = 1 / 3;

/**
 * From this share of kana a text of kana and Chinese characters is Japanese; a shop's の makes none.
 * Chosen by hand.
 */
export const KANA_SHARE = 0.1;

/** Of a longer text the end is judged: what the detector reads at most. */
export const LANGUAGE_CHARS = 1_000;

/**
 * How long a failed load is remembered before the next call tries again. Without a pause every
 * message of a broken deployment would hash 16 MB once more; a longer one would outlast a passing
 * shortage of memory.
 */
export const RETRY_AFTER_MS = 5_000;

/**
 * SHA-256 over the names and kinds of everything that `ort-wasm-simd-threaded.wasm` of
 * onnxruntime-web 1.30.0 imports and exports, as `wasmFingerprint` computes it. A Worker never sees
 * the bytes of a wasm module, so its interface stands for it; the bytes themselves are compared with
 * `ORT_WASM_SHA256` when the tests run in Node.js.
 */
export const ORT_WASM_INTERFACE =
  'd20ccf7d682aaf05ae4e559f084e8c377eb503da2556af4bb1cdd327ec66cb1b';

/** SHA-256 of the file `onnxruntime-web/dist/ort-wasm-simd-threaded.wasm`, version 1.30.0. */
export const ORT_WASM_SHA256 = '3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2';
