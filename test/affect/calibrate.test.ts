import { describe, expect, it } from 'vitest';
import { calibratedSoftmax, rank, uniform } from '../../src/affect/calibrate.ts';
import { EMOTIONS } from '../../src/affect/emotions.ts';

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe('calibratedSoftmax', () => {
  it('is the softmax of the logits over the temperature', () => {
    // exp(0), exp(ln 3 / 1): 1/4 and 3/4; at temperature 2 the odds are √3.
    expect(calibratedSoftmax([0, Math.log(3)], 1)).toEqual([
      expect.closeTo(0.25, 12),
      expect.closeTo(0.75, 12),
    ]);
    const [low = 0, high = 0] = calibratedSoftmax([0, Math.log(3)], 2) ?? [];
    expect(high / low).toBeCloseTo(Math.sqrt(3), 12);
  });

  it('sums to 1 for logits that would overflow', () => {
    const probabilities = calibratedSoftmax(new Float32Array([1e4, 9.9e3, -1e4]), 1) ?? [];
    expect(sum(probabilities)).toBeCloseTo(1, 12);
  });

  it.each([
    [[Number.NaN, 1], 1],
    [[Number.POSITIVE_INFINITY, 1], 1],
    [[1, 2], 0],
    [[1, 2], Number.NaN],
    [[], 1],
  ])('says so when there is no distribution: %j at temperature %d', (logits, temperature) => {
    expect(calibratedSoftmax(logits, temperature)).toBeNull();
  });
});

describe('rank', () => {
  it('orders all 32 emotions by probability', () => {
    const emotions = rank(EMOTIONS.map((_, index) => index / 496));
    expect(emotions).toHaveLength(32);
    expect(emotions[0]).toEqual({ label: 'trusting', probability: 31 / 496 });
    expect(emotions[31]).toEqual({ label: 'afraid', probability: 0 });
  });

  it('keeps the order of the labels where probabilities are equal', () => {
    expect(rank(uniform()).map(({ label }) => label)).toEqual([...EMOTIONS]);
  });
});

describe('uniform', () => {
  it('E03 is a distribution over all emotions, never all zeros', () => {
    expect(sum(uniform())).toBeCloseTo(1, 12);
    expect(new Set(uniform()).size).toBe(1);
  });
});
