import { describe, expect, it } from 'vitest';
import { readDescription } from '../../src/affect/description.ts';
import description from '../../src/affect/model/affect.json';

describe('readDescription', () => {
  it('reads the shipped description', () => {
    const read = readDescription(description);
    if (!read.ok) throw new Error(read.failure);
    expect(read.value.ids).toEqual({
      cls: description.special.cls,
      sep: description.special.sep,
      ...description.marks,
    });
    expect(read.value.maxTokens).toBe(128);
    expect(read.value.rules.replace.get('’')).toBe("'");
    expect(read.value.rules.isolate.length).toBeGreaterThan(0);
    expect(read.value.model).toEqual(description.files['affect.int8.onnx']);
  });

  it.each([
    ['format_version', { ...description, format_version: 2 }],
    ['labels', { ...description, labels: description.labels.toReversed() }],
    ['labels', { ...description, labels: description.labels.slice(1) }],
    ['temperature', { ...description, temperature: 0 }],
    ['max_tokens', { ...description, max_tokens: 3 }],
    ['outputs', { ...description, outputs: ['something_else'] }],
    ['files', { ...description, files: {} }],
    ['special.cls', { ...description, special: { pad: 0, sep: 1 } }],
  ])('names the field that is not as expected: %s', (field, json) => {
    const read = readDescription(json);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.failure).toContain(field);
  });

  it.each([null, undefined, 'text', [], 7])('refuses what is no description: %j', (json) => {
    expect(readDescription(json).ok).toBe(false);
  });
});
