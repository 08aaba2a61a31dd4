import { describe, expect, it } from 'vitest';
import {
  clustersOf,
  interval95,
  jackknife95,
  mulberry32,
  type Outcome,
  resampled95,
  shuffled,
} from '../../../eval/bootstrap.ts';

/** `hits` right answers of `n`, each in a conversation of its own. */
function single(hits: number, n: number): Outcome[] {
  return Array.from({ length: n }, (_, index) => ({
    cluster: `c${index}`,
    hit: index < hits ? 1 : 0,
  }));
}

describe('interval95', () => {
  it('is the same at every call', () => {
    const outcomes = single(30, 100);
    expect(interval95(outcomes)).toEqual(interval95(outcomes));
  });

  it('is near the normal interval for many independent answers', () => {
    const [low, high] = interval95(single(500, 1000)) ?? [];
    // 1.96 × sqrt(.5 × .5 / 1000) = .031
    expect(low).toBeCloseTo(0.469, 2);
    expect(high).toBeCloseTo(0.531, 2);
  });

  it('is wider where the answers of a conversation go together', () => {
    const together = Array.from({ length: 100 }, (_, index) => ({
      cluster: `c${index % 10}`,
      hit: index % 10 < 5 ? 1 : 0,
    }));
    const width = (interval: ReturnType<typeof interval95>) =>
      interval === null ? Number.NaN : interval[1] - interval[0];
    expect(width(interval95(together))).toBeGreaterThan(2 * width(interval95(single(50, 100))));
  });

  it('is a point where all answers are alike, and nothing without answers', () => {
    expect(interval95(single(5, 5))).toEqual([1, 1]);
    expect(interval95([])).toBeNull();
  });
});

describe('resampled95', () => {
  it('gives of a mean what interval95 gives', () => {
    const outcomes = single(30, 100);
    const mean = (drawn: readonly Outcome[]) =>
      drawn.reduce((sum, { hit }) => sum + hit, 0) / drawn.length;
    expect(resampled95(outcomes, mean)).toEqual(interval95(outcomes));
  });

  it('takes any statistic, and holds its value', () => {
    const values = Array.from({ length: 200 }, mulberry32(3));
    const largest = (drawn: readonly number[]) => Math.max(...drawn);
    const [low, high] = resampled95(values, largest) ?? [];
    expect(high).toBe(largest(values));
    expect(low).toBeLessThan(largest(values));
    expect(resampled95([], largest)).toBeNull();
  });
});

describe('jackknife95', () => {
  it('is the normal interval for a mean', () => {
    const values = Array.from({ length: 100 }, mulberry32(5));
    const sum = values.reduce((total, value) => total + value, 0);
    const mean = sum / 100;
    const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / 99;
    const [low, high] =
      jackknife95(
        mean,
        values.map((value) => (sum - value) / 99),
      ) ?? [];
    expect(low).toBeCloseTo(mean - 1.959964 * Math.sqrt(variance / 100), 9);
    expect(high).toBeCloseTo(mean + 1.959964 * Math.sqrt(variance / 100), 9);
  });

  it('is nothing for a single conversation', () => {
    expect(jackknife95(1, [0])).toBeNull();
  });
});

describe('clustersOf', () => {
  it('keeps the order of first appearance', () => {
    const first = (text: string) => text[0] ?? '';
    expect(clustersOf(['b1', 'a1', 'b2'], first)).toEqual([['b1', 'b2'], ['a1']]);
  });
});

describe('mulberry32', () => {
  it('gives the sequence of its seed, within [0, 1)', () => {
    const values = Array.from({ length: 1000 }, mulberry32(7));
    expect(values).toEqual(Array.from({ length: 1000 }, mulberry32(7)));
    expect(values).not.toEqual(Array.from({ length: 1000 }, mulberry32(8)));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
  });
});

describe('shuffled', () => {
  it('has the same items in the order of its seed', () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const order = shuffled(items, mulberry32(0));
    expect(order).not.toEqual(items);
    expect(order).toEqual(shuffled(items, mulberry32(0)));
    expect(order.toSorted((left, right) => left - right)).toEqual(items);
  });

  it('puts every item first about as often', () => {
    const random = mulberry32(1);
    const firsts = Array.from({ length: 3000 }, () => shuffled([0, 1, 2], random)[0]);
    for (const item of [0, 1, 2]) {
      expect(firsts.filter((first) => first === item).length).toBeGreaterThan(900);
    }
  });
});
