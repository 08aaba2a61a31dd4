import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it } from 'vitest';
import { ORT_WASM_INTERFACE } from '../../src/affect/constants.ts';
import { expectHash, sha256, wasmFingerprint } from '../../src/affect/integrity.ts';

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

describe('expectHash', () => {
  it('W04 names the file, the expected and the found hash', () => {
    expect(expectHash({ name: 'a.onnx', expected: 'aa', found: 'bb' })).toEqual({
      ok: false,
      failure: 'a.onnx is another file: expected sha256 aa, found bb',
    });
    expect(expectHash({ name: 'a.onnx', expected: 'aa', found: 'aa' }).ok).toBe(true);
  });
});
