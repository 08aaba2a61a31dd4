/** The classifier of `src/affect` in Node.js, with the files that the Worker is built with. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Classifier, createClassifier } from '../src/affect/classifier.ts';
import description from '../src/affect/model/affect.json' with { type: 'json' };
import tokenizer from '../src/affect/model/tokenizer.json' with { type: 'json' };

const MODEL = new URL('../src/affect/model/affect.int8.onnx', import.meta.url);

/** @param path of the graph; the shipped one unless another is named */
export async function nodeClassifier(path: URL = MODEL): Promise<Classifier> {
  const resolve = createRequire(import.meta.url).resolve;
  const wasm = await readFile(resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'));
  const model = Uint8Array.from(await readFile(path));
  const files = {
    wasm: await WebAssembly.compile(Uint8Array.from(wasm)),
    model: model.buffer,
    tokenizer,
    description: path === MODEL ? description : describing(model),
  };
  return createClassifier({ files: () => files, now: () => Date.now() });
}

/** An `affect.json` that names this graph. */
function describing(model: Uint8Array): unknown {
  const sha256 = createHash('sha256').update(model).digest('hex');
  const file = { sha256, bytes: model.byteLength };
  return { ...description, files: { ...description.files, 'affect.int8.onnx': file } };
}
