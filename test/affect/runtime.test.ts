import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it } from 'vitest';
import { createSession, runGraph } from '../../src/affect/runtime.ts';
import tiny from './fixtures/tiny.onnx';
import { tinyLogits } from './fixtures/tiny.ts';

const good = { wasm, model: new Uint8Array(tiny) };
const bad = { wasm, model: new TextEncoder().encode('<!doctype html>') };
/** The smallest wasm module there is. */
const EMPTY_WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

describe('createSession', () => {
  it('W01 gives a session although the Worker may not compile', async () => {
    const session = await createSession(good);
    expect(session.outputNames).toEqual(['emotion_logits', 'cause_logits', 'scores']);
    await session.release();
  });

  it('serves concurrent calls, a bad model among them', async () => {
    const [first, second, third] = await Promise.allSettled([
      createSession(good),
      createSession(bad),
      createSession(good),
    ]);
    expect([first.status, second.status, third.status]).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('gives a good session after a bad model', async () => {
    await expect(createSession(bad)).rejects.toThrow();
    await expect(createSession(good)).resolves.toBeDefined();
  });

  it('puts the native function back, after success and after failure', async () => {
    const native = WebAssembly.instantiate;
    await createSession(good);
    expect(WebAssembly.instantiate).toBe(native);
    await createSession(bad).catch(() => undefined);
    expect(WebAssembly.instantiate).toBe(native);
  });

  it('W01 other run-time compilation stays refused, while a session is created and after', async () => {
    const creating = createSession(good);
    const during = WebAssembly.instantiate(EMPTY_WASM);
    await expect(during).rejects.toThrow(/disallowed by embedder/);
    await creating;
    await expect(WebAssembly.instantiate(EMPTY_WASM)).rejects.toThrow(/disallowed by embedder/);
  });

  it('leaves the model bytes as they are, for the next attempt', async () => {
    await createSession(good);
    expect(tiny.byteLength).toBeGreaterThan(0);
  });
});

describe('runGraph', () => {
  it('gives the three outputs of the graph', async () => {
    const session = await createSession(good);
    const ids = [4, 1, 53, 1445, 5];
    const { emotionLogits, causeLogits, scores } = await runGraph(session, ids);
    const expected = tinyLogits(ids).map((value) => expect.closeTo(value, 5));
    expect(Array.from(emotionLogits)).toEqual(expected);
    expect(Array.from(causeLogits)).toEqual([4, 1, 5, 5, 5]);
    expect(Array.from(scores)).toEqual(expected.slice(0, 7));
  });

  it('keeps concurrent runs of one session apart', async () => {
    const session = await createSession(good);
    const inputs = Array.from({ length: 20 }, (_, length) => Array(length + 1).fill(length));
    const outputs = await Promise.all(inputs.map((ids) => runGraph(session, ids)));
    outputs.forEach(({ emotionLogits }, index) => {
      expect(emotionLogits[1]).toBeCloseTo(tinyLogits(inputs[index] ?? [])[1] ?? Number.NaN, 5);
    });
  });

  it('rejects when the session was released', async () => {
    const session = await createSession(good);
    await session.release();
    await expect(runGraph(session, [1])).rejects.toThrow();
  });
});
