/** The same files and the same code in Node.js: does it say what the oracle says, and what workerd says? */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Alone, serveAlone } from '../../../bench/serve-alone.ts';
import { PARITY_CASES } from '../../affect/fixtures/parity.ts';
import { classifierInNode } from './support/node-classifier.ts';

/** FORMAT.md, section 5: probabilities may differ by this from those of native ONNX Runtime. */
const TOLERANCE = 0.05;

const WORKER = fileURLToPath(new URL('../../affect/fixtures/cold-worker.ts', import.meta.url));

const classifier = await classifierInNode();

describe('the classifier in Node.js', () => {
  it.each(PARITY_CASES)(
    'W07 says what the oracle says: $name',
    async ({ turns, probabilities }) => {
      const result = await classifier.classify(turns);
      if (!result.ok) throw new Error(result.message);
      const own = new Map(result.affect.emotions.map((one) => [one.label, one.probability]));
      const labels = [...own.keys()].sort();
      const oracle = probabilities ?? labels.map(() => 1 / labels.length);
      const differences = labels.map((label, at) =>
        Math.abs((own.get(label) ?? Number.NaN) - (oracle[at] ?? Number.NaN)),
      );
      expect(Math.max(...differences)).toBeLessThan(TOLERANCE);
    },
  );
});

describe('Node.js and workerd', () => {
  let worker: Alone;

  beforeAll(async () => {
    worker = await serveAlone(WORKER);
    // The first answer comes when the bundle is built.
    await worker.get('/language');
  });

  afterAll(() => worker?.close());

  it('W07 E03 agree on every reading, to the last digit', async () => {
    const inWorkerd: unknown = JSON.parse(await worker.get('/parity'));
    const inNode = [];
    for (const { turns } of PARITY_CASES) inNode.push(await classifier.classify(turns));
    expect(inWorkerd).toEqual(JSON.parse(JSON.stringify(inNode)));
  });
});
