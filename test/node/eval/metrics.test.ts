import { describe, expect, it } from 'vitest';
import {
  argmax,
  classFigures,
  confusion,
  expectedCalibrationError,
  macroF1,
  majorityTop1,
  reliability,
  type Scored,
  topK,
} from '../../../eval/metrics.ts';

/** `[label, ...probabilities]` each. */
function scored(
  ...rows: readonly (readonly [label: number, ...probabilities: number[]])[]
): Scored[] {
  return rows.map(([label, ...probabilities]) => ({ label, probabilities }));
}

describe('argmax', () => {
  it('takes the first of equal values', () => {
    expect(argmax([0.2, 0.4, 0.4])).toBe(1);
    expect(argmax([])).toBe(-1);
  });
});

describe('topK', () => {
  const examples = scored([0, 0.5, 0.3, 0.2], [1, 0.5, 0.3, 0.2], [2, 0.5, 0.3, 0.2]);

  it('counts labels among the k most probable', () => {
    expect(topK(examples, 1)).toBeCloseTo(1 / 3, 12);
    expect(topK(examples, 2)).toBeCloseTo(2 / 3, 12);
    expect(topK(examples, 3)).toBe(1);
  });

  it('breaks ties by the order of the classes, so that equal values are no free hits', () => {
    const uniform = scored([0, 0.25, 0.25, 0.25, 0.25], [3, 0.25, 0.25, 0.25, 0.25]);
    expect(topK(uniform, 1)).toBe(0.5);
  });

  it('agrees with argmax at k = 1', () => {
    const rows = scored([1, 0.4, 0.4, 0.2], [0, 0.4, 0.4, 0.2], [2, 0.1, 0.1, 0.8]);
    const hits = rows.filter(({ probabilities, label }) => argmax(probabilities) === label).length;
    expect(topK(rows, 1)).toBeCloseTo(hits / rows.length, 12);
  });

  it('is 0 without examples', () => {
    expect(topK([], 1)).toBe(0);
  });
});

describe('macroF1', () => {
  it('E07 weighs a rare class like a frequent one: one class for all scores low', () => {
    const frequent = Array.from({ length: 9 }, () => [0, 0.9, 0.1] as const);
    const examples = scored(...frequent, [1, 0.9, 0.1]);
    // Class 0: precision .9, recall 1, F1 18/19; class 1: never predicted, F1 0.
    expect(macroF1(examples)).toBeCloseTo(18 / 19 / 2, 12);
    expect(majorityTop1(examples)).toBe(0.9);
  });

  it('is the textbook figure on a small confusion', () => {
    // Labels 0 0 1 1 2, predictions 0 1 1 1 0: F1 = 1/2, 4/5, 0.
    const examples = scored(
      [0, 0.8, 0.1, 0.1],
      [0, 0.1, 0.8, 0.1],
      [1, 0.1, 0.8, 0.1],
      [1, 0.1, 0.8, 0.1],
      [2, 0.8, 0.1, 0.1],
    );
    expect(macroF1(examples)).toBeCloseTo((0.5 + 0.8 + 0) / 3, 12);
  });
});

describe('classFigures', () => {
  it('are precision, recall and F1 of every class that occurs', () => {
    // Labels 0 0 1, predictions 0 1 3.
    const examples = scored([0, 0.8, 0.1, 0, 0.1], [0, 0.1, 0.8, 0, 0.1], [1, 0.1, 0.1, 0, 0.8]);
    expect(classFigures(examples)).toEqual([
      { of: 0, n: 2, precision: 1, recall: 0.5, f1: expect.closeTo(2 / 3, 12) },
      { of: 1, n: 1, precision: 0, recall: 0, f1: 0 },
      { of: 3, n: 0, precision: 0, recall: 0, f1: 0 },
    ]);
  });
});

describe('confusion', () => {
  it('counts predictions by label', () => {
    const examples = scored([0, 0.8, 0.2], [0, 0.1, 0.9], [1, 0.1, 0.9], [1, 0.3, 0.7]);
    expect(confusion(examples, 2)).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });
});

describe('reliability', () => {
  it('puts answers into bins of their confidence, and keeps the empty ones', () => {
    const bins = reliability(scored([0, 0.9, 0.1], [1, 0.8, 0.2], [1, 0.4, 0.6]), 2);
    expect(bins).toEqual([
      { low: 0, high: 0.5, n: 0, confidence: 0, accuracy: 0 },
      {
        low: 0.5,
        high: 1,
        n: 3,
        confidence: expect.closeTo((0.9 + 0.8 + 0.6) / 3, 12),
        accuracy: expect.closeTo(2 / 3, 12),
      },
    ]);
  });
});

describe('expectedCalibrationError', () => {
  it('is 0 without examples', () => {
    expect(expectedCalibrationError([])).toBe(0);
  });

  it('is 0 where confidence is accuracy', () => {
    const examples = scored([0, 0.75, 0.25], [0, 0.75, 0.25], [0, 0.75, 0.25], [1, 0.75, 0.25]);
    expect(expectedCalibrationError(examples)).toBeCloseTo(0, 12);
  });

  it('is the gap where one bin holds all', () => {
    expect(expectedCalibrationError(scored([0, 0.9, 0.1], [1, 0.9, 0.1]))).toBeCloseTo(0.4, 12);
  });

  it('weighs bins by their share and does not let them cancel out', () => {
    // Bin of .9: accuracy 1, gap .1; bin of .6 (three): accuracy 0, gap .6.
    const examples = scored([0, 0.9, 0.1], [1, 0.6, 0.4], [1, 0.6, 0.4], [1, 0.6, 0.4]);
    expect(expectedCalibrationError(examples)).toBeCloseTo(0.25 * 0.1 + 0.75 * 0.6, 12);
  });

  it('puts a confidence of 1 into the last bin', () => {
    expect(expectedCalibrationError(scored([0, 1, 0], [0, 0.95, 0.05]))).toBeCloseTo(0.025, 12);
  });
});

describe('majorityTop1', () => {
  it('is the share of the most frequent label', () => {
    expect(majorityTop1([{ label: 3 }, { label: 3 }, { label: 1 }])).toBeCloseTo(2 / 3, 12);
    expect(majorityTop1([])).toBe(0);
  });
});
