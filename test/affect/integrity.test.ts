import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it } from 'vitest';
import { ORT_WASM_INTERFACE } from '../../src/affect/constants.ts';
import { asWritten, expectHash, sha256, wasmFingerprint } from '../../src/affect/integrity.ts';
import description from '../../src/affect/model/affect.json';
import tokenizer from '../../src/affect/model/tokenizer.json';

describe('sha256', () => {
  it('gives the published test vector of FIPS 180-2', async () => {
    expect(await sha256(new TextEncoder().encode('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('wasmFingerprint', () => {
  it('W04 knows the module that the Worker is built with', async () => {
    expect(await wasmFingerprint(wasm)).toBe(ORT_WASM_INTERFACE);
  });
});

describe('asWritten', () => {
  it('writes JSON as the training code does', () => {
    const parsed = JSON.parse(
      '{"a": [1, null, true, {}], "vocab": {"z": 0, "7": 1, "\\"": 2, "é": 3}}',
    );
    expect(asWritten(parsed)).toBe(
      '{"a": [1, null, true, {}], "vocab": {"z": 0, "7": 1, "\\"": 2, "é": 3}}',
    );
  });

  it('W04 gives the bytes of the shipped tokenizer back', async () => {
    const bytes = new TextEncoder().encode(asWritten(tokenizer));
    expect(bytes.length).toBe(description.files['tokenizer.json'].bytes);
    expect(await sha256(bytes)).toBe(description.files['tokenizer.json'].sha256);
  });
});

describe('expectHash', () => {
  it('W04 names the file, the expected and the found hash', () => {
    expect(expectHash({ name: 'a.onnx', expected: 'aa', found: 'bb' })).toEqual({
      ok: false,
      failure: 'a.onnx is another file: expected sha256 aa, found bb',
    });
    expect(expectHash({ name: 'a.onnx', expected: 'aa', found: 'aa' }).ok).toBe(true);
  });
});
