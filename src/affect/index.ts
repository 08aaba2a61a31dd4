/** The edge affect model: one per isolate, with the files that the Worker was built with. */
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { type Classifier, createClassifier } from './classifier.ts';
import model from './model/affect.int8.onnx';
import description from './model/affect.json';
import tokenizer from './model/tokenizer.json';

const classifier: Classifier = createClassifier({
  files: () => ({ wasm, model, tokenizer, description }),
  now: () => Date.now(),
});

/**
 * What is felt in the person's latest turn. The model is loaded by the first call (~0.3 s of CPU) and
 * shared by all that come meanwhile.
 *
 * @param turns oldest first; turns after the person's latest one are ignored (case E05).
 * @returns all 32 emotions with calibrated probabilities, their groups, the words that they come from
 *   and scores such as intensity, or `ok: false`; never rejects.
 * @example
 * const result = await classify([{ role: 'user', text: 'We are having a baby!' }]);
 * if (result.ok) console.log(result.affect.emotions[0]?.label);
 */
export const classify: Classifier['classify'] = classifier.classify;

/** `classify` for several dialogues, one after the other; results in the same order. */
export const classifyBatch: Classifier['classifyBatch'] = classifier.classifyBatch;

/** For `/readyz`: loads the model if need be and runs it once. Never rejects. */
export const affectReady: Classifier['ready'] = classifier.ready;
