/** The classifier in real Chromium, with the same files: does it say what the oracle and Node say? */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import type { AffectResult } from '../../src/affect/types.ts';
import { PARITY_CASES } from '../affect/fixtures/parity.ts';
import { classifierInNode } from '../node/affect/support/node-classifier.ts';
import { findChromium, launch } from './support/chromium.ts';

/** Hashing wants a secure context; every request is answered by the test, none leaves it. */
const ORIGIN = 'https://attune.test';
/** FORMAT.md, section 5. */
const TOLERANCE = 0.05;
const START_MS = 240_000;

const executable = findChromium();
if (executable === null) console.log('skipped: no Chromium (set CHROMIUM_PATH to its place)');

/** The script of the page's worker, bundled as one module. */
async function script(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: 0,
      rollupOptions: {
        input: fileURLToPath(new URL('./support/affect-page.ts', import.meta.url)),
        output: { format: 'es', inlineDynamicImports: true },
      },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const chunk = first !== undefined && 'output' in first ? first.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('vite built nothing');
  return chunk.code;
}

describe.runIf(executable !== null)('the classifier in Chromium', () => {
  let browser: Browser;
  let results: AffectResult[];

  beforeAll(async () => {
    const resolve = createRequire(import.meta.url).resolve;
    const model = new URL('../../src/affect/model/affect.int8.onnx', import.meta.url);
    const served: Record<string, { body: Buffer | string; contentType: string }> = {
      '/': { body: '<!doctype html>', contentType: 'text/html' },
      '/worker.js': { body: await script(), contentType: 'text/javascript' },
      '/affect.int8.onnx': {
        body: await readFile(model),
        contentType: 'application/octet-stream',
      },
      '/ort.wasm': {
        body: await readFile(resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm')),
        contentType: 'application/wasm',
      },
    };
    browser = await launch(executable ?? '');
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, (route) =>
      route.fulfill(served[new URL(route.request().url()).pathname] ?? { status: 404 }),
    );
    await page.goto(ORIGIN, { waitUntil: 'load' });
    const answer = page.evaluate(
      (dialogues) =>
        new Promise<string>((done, failed) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => done(String(data));
          worker.onerror = ({ message }) => failed(new Error(message));
          worker.postMessage(dialogues);
        }),
      PARITY_CASES.map(({ turns }) => turns),
    );
    results = JSON.parse(await answer);
  }, START_MS);

  afterAll(() => browser?.close());

  test('W07 says what the oracle says', () => {
    expect(results).toHaveLength(PARITY_CASES.length);
    for (const [index, { name, probabilities }] of PARITY_CASES.entries()) {
      const result = results[index];
      if (result?.ok !== true) throw new Error(`${name}: ${result?.message}`);
      const own = new Map(result.affect.emotions.map((one) => [one.label, one.probability]));
      const differences = EMOTIONS.map((label, at) =>
        Math.abs((own.get(label) ?? Number.NaN) - (probabilities?.[at] ?? 1 / EMOTIONS.length)),
      );
      expect(Math.max(...differences), name).toBeLessThan(TOLERANCE);
    }
  });

  test(
    'W07 E03 says what Node.js says, to the last digit',
    async () => {
      const classifier = await classifierInNode();
      const inNode = [];
      for (const { turns } of PARITY_CASES) inNode.push(await classifier.classify(turns));
      expect(results).toEqual(JSON.parse(JSON.stringify(inNode)));
    },
    START_MS,
  );
});
