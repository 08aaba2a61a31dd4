/**
 * The classifier of `src/affect` in a Web Worker of a page: answers a list of dialogues with a list of
 * results. Not in the page itself: on its main thread Chromium refuses to instantiate so large a module
 * at once.
 */
import { createClassifier } from '../../../src/affect/classifier.ts';
import description from '../../../src/affect/model/affect.json' with { type: 'json' };
import tokenizer from '../../../src/affect/model/tokenizer.json' with { type: 'json' };
import type { AffectResult, DialogueTurn } from '../../../src/affect/types.ts';

type Dialogues = readonly (readonly DialogueTurn[])[];

async function readAll(dialogues: Dialogues): Promise<AffectResult[]> {
  const [model, wasm] = await Promise.all([
    fetch('/affect.int8.onnx').then((response) => response.arrayBuffer()),
    WebAssembly.compileStreaming(fetch('/ort.wasm')),
  ]);
  const classifier = createClassifier({
    files: () => ({ wasm, model, tokenizer, description }),
    now: () => Date.now(),
  });
  const results = [];
  for (const turns of dialogues) results.push(await classifier.classify(turns));
  return results;
}

globalThis.addEventListener('message', (event: MessageEvent<Dialogues>) => {
  readAll(event.data).then(
    (results) => globalThis.postMessage(JSON.stringify(results)),
    // Thrown outside the promise it reaches the page's `onerror`; a rejection reaches nobody.
    (error: unknown) =>
      setTimeout(() => {
        throw error;
      }),
  );
});
