import { describe, expect, it } from 'vitest';
import { interval95, mulberry32, type Outcome } from '../../../eval/bootstrap.ts';

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

describe('mulberry32', () => {
  it('gives the sequence of its seed, within [0, 1)', () => {
    const values = Array.from({ length: 1000 }, mulberry32(7));
    expect(values).toEqual(Array.from({ length: 1000 }, mulberry32(7)));
    expect(values).not.toEqual(Array.from({ length: 1000 }, mulberry32(8)));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
  });
});
