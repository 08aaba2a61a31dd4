import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { align, spanOf } from '../../src/affect/align.ts';
import { readDescription } from '../../src/affect/description.ts';
import affect from '../../src/affect/model/affect.json';
import json from '../../src/affect/model/tokenizer.json';
import { normalise } from '../../src/affect/normalise.ts';
import { FIFTY_THOUSAND_A } from '../support/adversarial-strings.ts';
import { isBoundary, STRINGS } from './fixtures/strings.ts';

const read = readDescription(affect);
if (!read.ok) throw new Error(read.failure);
const { rules } = read.value;
/** The library's own normalizer, which gives no offsets. */
const { normalizer } = new Tokenizer(json, {});

function bert(text: string): string {
  if (normalizer === null) throw new Error('the tokenizer has no normalizer');
  return normalizer.normalize(normalise(text, rules));
}

/** Letters, marks and signs of all scripts, one of each 37 code points, lone surrogates left out. */
const SAMPLE = Array.from({ length: 30_000 }, (_, index) => index * 37).filter(
  (point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff),
);

describe('align', () => {
  it.each(STRINGS)('T07 gives what the library makes of the text: %#', (text) => {
    const aligned = align(text, rules);
    expect(aligned.text).toBe(bert(text));
    expect(aligned.starts).toHaveLength(aligned.text.length);
    expect(aligned.ends).toHaveLength(aligned.text.length);
    for (const [unit, start] of aligned.starts.entries()) {
      const end = aligned.ends[unit] ?? Number.NaN;
      expect(start).toBeLessThan(end);
      expect(end).toBeLessThanOrEqual(text.length);
      expect(isBoundary(text, start) && isBoundary(text, end)).toBe(true);
      expect(start).toBeGreaterThanOrEqual(aligned.starts[unit - 1] ?? 0);
    }
  });

  it('T01 T02 gives what the library makes of letters of every script', () => {
    const differing = SAMPLE.filter((point) => {
      const text = `x${String.fromCodePoint(point)}y`;
      return align(text, rules).text !== bert(text);
    });
    expect(differing).toEqual([]);
  });

  it('T01 keeps an accent with its letter and a joiner with nothing', () => {
    const text = 'cafe\u0301\u200d!';
    const aligned = align(text, rules);
    expect(aligned.text).toBe('cafe!');
    expect(spanOf(aligned, 3, 4)).toEqual({ start: 3, end: 5 });
    expect(spanOf(aligned, 0, 5)).toEqual({ start: 0, end: text.length });
  });

  it('T06 takes 50,000 letters', () => {
    const aligned = align(FIFTY_THOUSAND_A, rules);
    expect(spanOf(aligned, 0, 50_000)).toEqual({ start: 0, end: 50_000 });
  });
});
