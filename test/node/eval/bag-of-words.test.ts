import { describe, expect, it } from 'vitest';
import { trainBagOfWords } from '../../../eval/bag-of-words.ts';
import { argmax } from '../../../eval/metrics.ts';

const TEXTS = [
  { label: 0, text: 'I lost my dog' },
  { label: 0, text: 'my dog is lost again' },
  { label: 1, text: 'I won the race' },
  { label: 1, text: 'we won again' },
];

describe('the bag of words', () => {
  const predict = trainBagOfWords(TEXTS, 3);

  it('tells classes by the words they were seen with', () => {
    expect(argmax(predict('the dog was LOST!'))).toBe(0);
    expect(argmax(predict('they won'))).toBe(1);
  });

  it('gives a distribution over all classes, one without texts too', () => {
    const row = predict('my dog won');
    expect(row).toHaveLength(3);
    expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
    for (const value of row) expect(value).toBeGreaterThan(0);
  });

  it('falls back to how frequent the classes are for words it never saw', () => {
    const skewed = trainBagOfWords([...TEXTS, { label: 1, text: 'we won' }], 2);
    // (3 + 1) / (5 + 2) against (2 + 1) / (5 + 2)
    expect(skewed('zebra')[1]).toBeCloseTo(4 / 7, 12);
    expect(skewed('')[1]).toBeCloseTo(4 / 7, 12);
  });

  it('counts a word once a text, however often it is said', () => {
    const shouted = [{ label: 0, text: 'dog dog dog' }, ...TEXTS.slice(1)];
    const calm = [{ label: 0, text: 'dog' }, ...TEXTS.slice(1)];
    // A pair of equal words is a feature of one text alone, which is dropped.
    expect(trainBagOfWords(shouted, 2)('dog')).toEqual(trainBagOfWords(calm, 2)('dog'));
  });

  it('hears pairs of neighbouring words', () => {
    const pairs = trainBagOfWords(
      [
        { label: 0, text: 'not good, bad' },
        { label: 0, text: 'not good, bad' },
        { label: 1, text: 'good, not bad' },
        { label: 1, text: 'good, not bad' },
      ],
      2,
    );
    expect(argmax(pairs('not good'))).toBe(0);
    expect(argmax(pairs('not bad'))).toBe(1);
  });
});
