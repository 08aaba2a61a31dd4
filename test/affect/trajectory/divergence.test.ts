import { describe, expect, it } from 'vitest';
import { evenness, jensenShannon, meanShares } from '../../../src/affect/trajectory/divergence.ts';
import { randomShares, seeded } from './random.ts';

describe('jensenShannon', () => {
  it('is 0 bits for equal, 1 bit for disjoint distributions', () => {
    expect(jensenShannon([0.2, 0.8], [0.2, 0.8])).toBe(0);
    expect(jensenShannon([1, 0], [0, 1])).toBe(1);
    // H(¾, ¼) − ½ · H(½, ½) = 0.8113 − 0.5
    expect(jensenShannon([1, 0], [0.5, 0.5])).toBeCloseTo(0.311278, 6);
  });

  it('is symmetric, within its bounds, and blind to the order of the outcomes', () => {
    const random = seeded(6);
    for (let round = 0; round < 200; round += 1) {
      const [left, right] = [randomShares(random, 8), randomShares(random, 8)];
      const distance = jensenShannon(left, right);
      expect(distance).toBeGreaterThanOrEqual(0);
      expect(distance).toBeLessThanOrEqual(1);
      expect(jensenShannon(right, left)).toBeCloseTo(distance, 12);
      expect(jensenShannon(left.toReversed(), right.toReversed())).toBeCloseTo(distance, 12);
    }
  });
});

describe('evenness', () => {
  it('is 0 for certainty and 1 for the uniform distribution', () => {
    expect(evenness([0, 1, 0, 0])).toBe(0);
    expect(evenness([0.25, 0.25, 0.25, 0.25])).toBe(1);
    expect(evenness([1])).toBe(0);
  });
});

describe('meanShares', () => {
  it('is the mean of each share, and empty of nothing', () => {
    expect(
      meanShares([
        [1, 0],
        [0.5, 0.5],
      ]),
    ).toEqual([0.75, 0.25]);
    expect(meanShares([])).toEqual([]);
  });
});
