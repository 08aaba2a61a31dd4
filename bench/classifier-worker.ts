/// <reference path="../src/affect/modules.d.ts" />
/**
 * The classifier alone in a Worker.
 * - `GET /?words=20&calls=5` classifies a message of 20 words five times: time is taken outside,
 *   because a Worker's clock stands still while it computes.
 * - `POST /model` with an ONNX file classifies with that graph from then on; tokenizer, layout and
 *   calibration stay those that are served.
 * - `GET /foreign` classifies a Spanish message and answers with the code of its language.
 * - `GET /memory` gives the bytes of onnxruntime's linear memory.
 */
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { type Classifier, createClassifier } from '../src/affect/classifier.ts';
import { classify } from '../src/affect/index.ts';
import { sha256 } from '../src/affect/integrity.ts';
import description from '../src/affect/model/affect.json';
import tokenizer from '../src/affect/model/tokenizer.json';
import { linearMemoryBytes } from './linear-memory.ts';
import { FOREIGN, passage } from './passage.ts';

let asked: Classifier['classify'] = classify;

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    if (pathname === '/memory') return Response.json(linearMemoryBytes());
    if (pathname === '/model') {
      asked = await classifierOf(await request.arrayBuffer());
      return new Response('taken');
    }
    if (pathname === '/foreign') {
      const result = await asked([{ role: 'user', text: FOREIGN }]);
      if (!result.ok) return new Response(result.message, { status: 503 });
      return new Response(result.affect.language);
    }
    const text = passage(Number(query.get('words')));
    for (let call = 0; call < Number(query.get('calls')); call += 1) {
      const result = await asked([{ role: 'user', text }]);
      if (!result.ok) return new Response(result.message, { status: 503 });
    }
    return new Response('done');
  },
};

/** The served classifier with another graph of the same inputs and outputs. */
async function classifierOf(model: ArrayBuffer): Promise<Classifier['classify']> {
  const graph = { sha256: await sha256(model), bytes: model.byteLength };
  const files = { ...description.files, 'affect.int8.onnx': graph };
  return createClassifier({
    files: () => ({ wasm, model, tokenizer, description: { ...description, files } }),
    now: () => Date.now(),
  }).classify;
}
