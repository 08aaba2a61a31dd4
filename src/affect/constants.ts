/** Every number of the edge classifier that is not in `model/affect.json`, with its reason. */

/** The `format_version` of `affect.json` that this code reads (model/FORMAT.md). */
export const FORMAT_VERSION = 1;

/** Name of the graph's output with the emotion logits, float32 [batch, 32]. */
export const EMOTION_OUTPUT = 'emotion_logits';

/** Names of the graph's inputs, both int64 [batch, tokens]. */
export const IDS_INPUT = 'input_ids';
export const MASK_INPUT = 'attention_mask';

/**
 * Below this probability of the top label the classifier abstains. On the tune half of the validation
 * turns of EmpatheticDialogues 8 % fall below, and of those one label in seven is right, against more
 * than half above; greetings, chatter and other languages mostly fall below too.
 */
export const LOW_CONFIDENCE = 0.2;

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
