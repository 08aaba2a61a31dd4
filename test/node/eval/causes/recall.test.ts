import { describe, expect, it } from 'vitest';
import {
  causeFigures,
  oracleAt,
  questionOf,
  randomAt,
  rankingOf,
  recallAt,
} from '../../../../eval/causes/recall.ts';

/** Four words of four letters each: 0–4, 5–9, 10–14, 15–19. */
const WORDS = [0, 5, 10, 15].map((start) => ({ start, end: start + 4 }));
const question = questionOf(WORDS, [{ start: 7, end: 14 }]);

describe('a question', () => {
  it('wants the words that touch a gold span', () => {
    expect([...question.wanted]).toEqual([1, 2]);
    // Ends are exclusive: a span that stops where a word starts does not touch it.
    expect(questionOf(WORDS, [{ start: 4, end: 5 }]).wanted.size).toBe(0);
  });
});

describe('a ranking', () => {
  it('takes guesses in their order, and a word once', () => {
    const guesses = [
      { start: 15, end: 19 },
      { start: 16, end: 18 },
      { start: 4, end: 5 },
      { start: 5, end: 14 },
    ];
    expect(rankingOf(guesses, WORDS)).toEqual([3, -1, -1, 1]);
  });
});

describe('recall', () => {
  it('is the share of the wanted words among the first k', () => {
    expect(recallAt(1, [1, 0, 2], question)).toBe(0.5);
    expect(recallAt(2, [1, 0, 2], question)).toBe(0.5);
    expect(recallAt(3, [1, 0, 2], question)).toBe(1);
  });

  it('spends a rank on a guess that is no word of the utterance', () => {
    expect(recallAt(2, [-1, -1, 1, 2], question)).toBe(0);
  });

  it('of a perfect ranker is limited by k alone', () => {
    expect(oracleAt(1, question)).toBe(0.5);
    expect(oracleAt(3, question)).toBe(1);
    expect(recallAt(1, [2, 1], question)).toBe(oracleAt(1, question));
  });

  it('of a random order is what all orders have on average', () => {
    const orders = WORDS.flatMap((_, a) => WORDS.flatMap((_, b) => (a === b ? [] : [[a, b]])));
    const mean =
      orders.reduce((sum, order) => sum + recallAt(2, order, question), 0) / orders.length;
    expect(randomAt(2, question)).toBeCloseTo(mean, 12);
    expect(randomAt(9, question)).toBe(1);
  });
});

describe('the figures', () => {
  it('are means over utterances, and their share of the perfect ranker’s', () => {
    const short = questionOf(WORDS, [{ start: 0, end: 3 }]);
    const figures = causeFigures([question, short], (k, asked) => recallAt(k, [1], asked));
    expect(figures.recall).toEqual({ at1: 0.25, at3: 0.25, at5: 0.25 });
    // The perfect ranker has (1/2 + 1) / 2 at 1, and all of it at 3.
    expect(figures.of_oracle).toEqual({ at1: 0.25 / 0.75, at3: 0.25, at5: 0.25 });
  });

  it('of a perfect ranker are 1, and without utterances 0', () => {
    expect(causeFigures([question], oracleAt).of_oracle).toEqual({ at1: 1, at3: 1, at5: 1 });
    expect(causeFigures([], oracleAt).of_oracle).toEqual({ at1: 0, at3: 0, at5: 0 });
  });
});
