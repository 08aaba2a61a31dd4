import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../src/affect/trajectory/parts.ts';

function textsOf(text: string): string[] {
  return partsOf(text).map(({ start, end }) => text.slice(start, end));
}

describe('partsOf', () => {
  it('cuts at the ends of sentences and before a contrast', () => {
    expect(textsOf("I'm happy for her, but I am jealous. Is that bad?")).toEqual([
      "I'm happy for her,",
      'but I am jealous.',
      'Is that bad?',
    ]);
  });

  it('leaves a plain sentence whole', () => {
    expect(textsOf('  I got the job and I love it!  ')).toEqual(['I got the job and I love it!']);
  });

  it.each(['', '…', '😀'])('has none without words: %j', (text) => {
    expect(partsOf(text)).toEqual([]);
  });
});
