import { describe, expect, it } from 'vitest';
import { openNative } from '../../src/engine/native.ts';

class Context {
  initBatch() {}
  addToBatch() {}
  decodeBatch() {}
  sampleToken() {}
  removeTokenCellsFromSequence() {}
}
class Sampler {
  applyConfig() {}
  dispose() {}
}
const loaded = (parts: { context?: object; sampler?: unknown } = {}) => ({
  llama: { _bindings: { AddonSampler: parts.sampler ?? Sampler } },
  model: { _model: {} },
  context: { _ctx: parts.context ?? new Context() },
});

describe('the inside of node-llama-cpp', () => {
  it('is found where the pinned version has it', () => {
    const native = openNative(loaded());
    expect(native.ok && native.value.createSampler()).toBeInstanceOf(Sampler);
  });

  it.each([
    ['a context without its methods', loaded({ context: { initBatch() {} } })],
    ['no sampler', loaded({ sampler: {} })],
    ['a sampler without its methods', loaded({ sampler: class {} })],
    ['nothing at all', { llama: {}, model: {}, context: {} }],
  ])('is missed with a message that says what to do: %s', (_, parts) => {
    const native = openNative(parts);
    expect(!native.ok && native.failure.message).toMatch(/node-llama-cpp.*npm ci/);
  });
});
