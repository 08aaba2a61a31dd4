import { describe, expect, it } from 'vitest';
import { areaUnderRoc, pearson } from '../../../eval/correlation.ts';

describe('pearson', () => {
  it('is the textbook figure, whatever the units', () => {
    // Deviations (−1, 0, 1) and (−1, 1, 0): 1 / 2.
    expect(
      pearson([
        [1, 10],
        [2, 30],
        [3, 20],
      ]),
    ).toBeCloseTo(0.5, 12);
    expect(
      pearson([
        [100, 1],
        [200, 3],
        [300, 2],
      ]),
    ).toBeCloseTo(0.5, 12);
  });

  it('is 1 and −1 on straight lines', () => {
    expect(
      pearson([
        [1, 2],
        [2, 4],
        [5, 10],
      ]),
    ).toBeCloseTo(1, 12);
    expect(
      pearson([
        [1, 3],
        [2, 2],
        [3, 1],
      ]),
    ).toBeCloseTo(-1, 12);
  });

  it('is no number where one side never changes or there is one pair', () => {
    expect(
      pearson([
        [1, 5],
        [2, 5],
      ]),
    ).toBeNull();
    expect(pearson([[1, 5]])).toBeNull();
    expect(pearson([])).toBeNull();
  });

  it('E07 is no number for a constant whose mean is rounded to another one', () => {
    const constant = [
      [1, 0.1],
      [2, 0.1],
      [4, 0.1],
    ] as const;
    expect(pearson(constant)).toBeNull();
    expect(pearson(constant.map(([x, y]) => [y, x]))).toBeNull();
  });
});

describe('areaUnderRoc', () => {
  const scored = (...rows: readonly (readonly [score: number, positive: boolean])[]) =>
    rows.map(([score, positive]) => ({ score, positive }));

  it('is the share of pairs in the right order', () => {
    // Positives .9 and .3 against .5 and .1: three of four pairs.
    expect(areaUnderRoc(scored([0.9, true], [0.5, false], [0.3, true], [0.1, false]))).toBe(0.75);
    expect(areaUnderRoc(scored([1, true], [0, false]))).toBe(1);
    expect(areaUnderRoc(scored([0, true], [1, false]))).toBe(0);
  });

  it('counts ties half, so that a constant score is no skill', () => {
    expect(areaUnderRoc(scored([0.5, true], [0.5, false], [0.5, false]))).toBe(0.5);
    expect(areaUnderRoc(scored([0.7, true], [0.5, true], [0.5, false]))).toBe(0.75);
  });

  it('is no number without both kinds', () => {
    expect(areaUnderRoc(scored([0.5, true]))).toBeNull();
    expect(areaUnderRoc([])).toBeNull();
  });
});
