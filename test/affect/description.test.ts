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
    expect(read.value.scores).toEqual(description.scores);
    expect(read.value.model).toEqual(description.files['affect.int8.onnx']);
  });

  it.each([
    ['format_version', { ...description, format_version: 1 }],
    ['labels', { ...description, labels: description.labels.toReversed() }],
    ['labels', { ...description, labels: description.labels.slice(1) }],
    ['temperature', { ...description, temperature: 0 }],
    ['max_tokens', { ...description, max_tokens: 3 }],
    ['outputs', { ...description, outputs: ['something_else'] }],
    ['outputs', { ...description, outputs: ['emotion_logits', 'scores'] }],
    ['scores', { ...description, scores: undefined }],
    ['scores', { ...description, scores: description.scores.slice(1) }],
    ['scores', { ...description, scores: description.scores.map((s) => ({ ...s, kind: 'rank' })) }],
    ['files', { ...description, files: {} }],
    ['special.cls', { ...description, special: { pad: 0, sep: 1 } }],
  ])('names the field that is not as expected: %s', (field, json) => {
    const read = readDescription(json);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.failure).toContain(field);
  });

  it('takes scores of later versions, whatever their kind', () => {
    const later = { name: 'risk_level', kind: 'ordinal', low: 0, high: 3 };
    const read = readDescription({ ...description, scores: [later, ...description.scores] });
    expect(read).toMatchObject({ ok: true, value: { scores: [later, ...description.scores] } });
  });

  it.each([null, undefined, 'text', [], 7])('refuses what is no description: %j', (json) => {
    expect(readDescription(json).ok).toBe(false);
  });
});
