/** The first seconds of an isolate, in workerd, with the bundle that wrangler makes. */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Alone, serveAlone } from '../../../bench/serve-alone.ts';

const WORKER = fileURLToPath(new URL('../../affect/fixtures/cold-worker.ts', import.meta.url));

const REFUSED = expect.stringContaining('Wasm code generation disallowed by embedder');

let worker: Alone | undefined;

afterEach(async () => {
  await worker?.close();
  worker = undefined;
});

/** A fresh isolate, and a way to ask it. */
async function fresh(): Promise<(path: string) => Promise<unknown>> {
  const served = await serveAlone(WORKER);
  worker = served;
  return async (path) => JSON.parse(await served.get(path));
}

describe('a fresh isolate', () => {
  it('answers concurrent first calls alike', async () => {
    const ask = await fresh();
    const answers = await ask('/concurrent');
    expect(answers).toHaveLength(5);
    expect(new Set(Object.values(answers ?? {}))).toEqual(new Set([expect.any(String)]));
    // And first calls of several requests at once.
    const requests = await Promise.all([ask('/concurrent'), ask('/concurrent')]);
    expect(requests).toEqual([answers, answers]);
  });

  it('loads the language detector when a text asks for it', async () => {
    const ask = await fresh();
    expect(await ask('/language')).toBe('de');
  });

  it('W04 says what is wrong with bad files and then loads good ones', async () => {
    const ask = await fresh();
    expect(await ask('/bad-first')).toEqual([
      expect.stringMatching(
        /^ort-wasm-simd-threaded\.wasm .*expected sha256 \w{64}, found \w{64}$/,
      ),
      expect.stringMatching(/^affect\.int8\.onnx .*expected sha256 \w{64}, found \w{64}$/),
      expect.stringMatching(/^(sad|devastated)$/),
    ]);
  });

  it('W01 loads where compiling bytes is refused before, while and after it does', async () => {
    const ask = await fresh();
    expect(await ask('/compile')).toEqual({
      before: REFUSED,
      during: REFUSED,
      after: REFUSED,
      loaded: true,
    });
    // W06 in the same isolate: the largest inputs again and again take no more memory.
    const memory = await ask('/memory');
    expect(memory).toEqual({ first: expect.any(Number), last: expect.any(Number) });
    const { first = 0, last = Number.NaN } = Object(memory);
    expect(first).toBeGreaterThan(0);
    expect(last).toBe(first);
  });
});
