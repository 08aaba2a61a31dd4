import { describe, expect, it } from 'vitest';
import { asWritten, sha256 } from '../../src/affect/integrity.ts';
import { loadModel } from '../../src/affect/load.ts';
import otherWasm from './fixtures/empty.wasm';
import { describeModel, tinyFiles, withTokenizer } from './fixtures/tiny.ts';

const NOT_A_MODEL = Uint8Array.from(new TextEncoder().encode('<!doctype html>')).buffer;

describe('loadModel', () => {
  it('loads files that belong together', async () => {
    const loaded = await loadModel(await tinyFiles());
    expect(loaded.ok).toBe(true);
  });

  it('W04 names expected and found hash of another model file', async () => {
    const files = await tinyFiles({ model: NOT_A_MODEL });
    const loaded = await loadModel(files);
    expect(loaded).toEqual({
      ok: false,
      failure: `affect.int8.onnx is another file: expected sha256 ${await sha256(
        (await tinyFiles()).model,
      )}, found ${await sha256(NOT_A_MODEL)}`,
    });
  });

  it('W04 names expected and found hash of a truncated model file', async () => {
    const { model } = await tinyFiles();
    const loaded = await loadModel(await tinyFiles({ model: model.slice(0, -1) }));
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) expect(loaded.failure).toMatch(/expected sha256 \w{64}, found \w{64}$/);
  });

  it('W04 refuses another wasm module before the runtime is started with it', async () => {
    const loaded = await loadModel(await tinyFiles({ wasm: otherWasm }));
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) {
      expect(loaded.failure).toMatch(
        /^ort-wasm-simd-threaded\.wasm .*expected sha256 \w{64}, found \w{64}$/,
      );
    }
    expect((await loadModel(await tinyFiles())).ok).toBe(true);
  });

  it('says that the runtime refused bytes whose hash is right', async () => {
    const files = { model: NOT_A_MODEL, description: await describeModel(NOT_A_MODEL) };
    const loaded = await loadModel(await tinyFiles(files));
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) expect(loaded.failure).toMatch(/^the emotion model did not load: ./);
  });

  it('W04 names expected and found hash of another tokenizer', async () => {
    const { tokenizer } = await tinyFiles();
    const other = { ...tokenizer, model: {} };
    const found = await sha256(new TextEncoder().encode(asWritten(other)));
    const loaded = await loadModel(await tinyFiles({ tokenizer: other }));
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) {
      expect(loaded.failure).toMatch(
        /^tokenizer\.json is another file: expected sha256 \w{64}, found/,
      );
      expect(loaded.failure).toContain(found);
    }
  });

  it('fails as a value on a tokenizer that is none', async () => {
    const { description } = await tinyFiles();
    const loaded = await loadModel(
      await tinyFiles({ tokenizer: {}, description: await withTokenizer(description, '{}') }),
    );
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) expect(loaded.failure).toMatch(/^the emotion model did not load: ./);
  });

  it('fails as a value on a description that is none', async () => {
    expect((await loadModel(await tinyFiles({ description: {} }))).ok).toBe(false);
  });
});
