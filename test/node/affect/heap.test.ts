/** Does an isolate that answers for a long time keep what it used? */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { DialogueTurn } from '../../../src/affect/types.ts';
import { classifierInNode } from './support/node-classifier.ts';

const CALLS = 2_500;
/** Calls before the first look: caches and compiled code settle. */
const SETTLING = 200;
const MOST_BYTES = 1_000_000;

/**
 * All of our code, and of the runtime's, around a graph that takes no time: what the shipped graph keeps
 * is memory of the runtime, and cold-start.test.ts looks at that.
 */
const TINY = new URL('../../affect/fixtures/tiny.onnx', import.meta.url);

const TEXTS = ['My dog died.', 'I won! 😂', 'ok', '…', 'Estoy muy triste.'];

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes in use when everything that can be freed is. */
function used(): { heap: number; outside: number } {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, outside: arrayBuffers };
}

it('W06 keeps less than 1 MB over 2,500 calls', async () => {
  const classifier = await classifierInNode(TINY);
  const ask = async (calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      const turns: DialogueTurn[] = [{ role: 'user', text: TEXTS[call % TEXTS.length] ?? '' }];
      expect((await classifier.classify(turns)).ok).toBe(true);
    }
  };
  await ask(SETTLING);
  const before = used();
  await ask(CALLS);
  const after = used();
  expect(after.heap - before.heap).toBeLessThan(MOST_BYTES);
  // The memory of the runtime is one of these buffers: it must not grow at all.
  expect(after.outside - before.outside).toBeLessThan(MOST_BYTES);
});
