import { describe, expect, it } from 'vitest';
import { HALF_LIFE_TURNS, MEMORY_MS } from '../../../src/affect/trajectory/constants.ts';
import { retention, smooth, smoothRows } from '../../../src/affect/trajectory/smooth.ts';
import { randomShares, seeded } from './random.ts';

describe('retention', () => {
  it('halves over the half-life in turns', () => {
    expect(retention({ turn: 1 }, { turn: 1 + HALF_LIFE_TURNS })).toBeCloseTo(0.5, 12);
  });

  it('falls to 1/e over the memory in time, besides the turns', () => {
    const turnsOnly = retention({ turn: 1 }, { turn: 2 });
    expect(retention({ turn: 1, at: 5 }, { turn: 2, at: 5 + MEMORY_MS })).toBeCloseTo(
      turnsOnly / Math.E,
      12,
    );
  });

  it('never grows with the distance', () => {
    const random = seeded(3);
    for (let round = 0; round < 200; round += 1) {
      const [turn, at] = [random() * 9, random() * 1e9];
      const near = retention({ turn: 0, at: 0 }, { turn, at });
      expect(retention({ turn: 0, at: 0 }, { turn: turn + 1, at })).toBeLessThanOrEqual(near);
      expect(retention({ turn: 0, at: 0 }, { turn, at: at + 1e6 })).toBeLessThanOrEqual(near);
    }
  });

  it.each([
    ['a clock that went backwards', { turn: 1, at: 9 }, { turn: 1, at: 3 }],
    ['a turn that went backwards', { turn: 7 }, { turn: 2 }],
    ['one time only', { turn: 1, at: 9 }, { turn: 1 }],
    ['a time that is none', { turn: 1, at: Number.NaN }, { turn: 1, at: 3 }],
  ])('takes %s for no step', (_, before, after) => {
    expect(retention(before, after)).toBe(1);
  });
});

describe('smooth', () => {
  it('is the weighted mean of what was read', () => {
    expect(smooth([1, 0, 0], [0, 0.5, 0.5])).toEqual([
      1,
      expect.closeTo(0.5 / 1.5, 12),
      expect.closeTo(0.25 / 1.75, 12),
    ]);
  });

  it('passes over missing readings, and has nothing before the first', () => {
    expect(smooth([null, 0.4, null, Number.NaN], [0, 0.5, 0.5, 0.5])).toEqual([
      null,
      0.4,
      0.4,
      0.4,
    ]);
  });

  it('lets a new reading weigh almost alone after a long gap', () => {
    expect(smooth([-1, 1], [0, 1e-3])[1]).toBeGreaterThan(0.99);
  });

  it('forgets at last, without dividing by what has underflown', () => {
    expect(smooth([0.7, null, null], [0, 1e-7, 0.5])).toEqual([0.7, null, null]);
    expect(smooth([0.7, null, 0.1], [0, 1e-300, 1e-300])).toEqual([0.7, null, 0.1]);
  });

  it('stays within the range of the readings, and rises with each of them', () => {
    const random = seeded(4);
    for (let round = 0; round < 200; round += 1) {
      const values = Array.from({ length: 8 }, () => (random() < 0.3 ? null : random() * 2 - 1));
      const kept = values.map(() => random());
      const known = values.filter((value) => value !== null);
      const raised = values.map((value) => (value === null ? null : value + 0.1));
      const [low, high] = [smooth(values, kept), smooth(raised, kept)];
      for (const [index, value] of low.entries()) {
        if (value === null) continue;
        expect(value).toBeGreaterThanOrEqual(Math.min(...known) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(...known) + 1e-12);
        expect(high[index]).toBeCloseTo(value + 0.1, 9);
      }
    }
  });
});

describe('smoothRows', () => {
  it('leaves distributions distributions', () => {
    const random = seeded(5);
    const rows = Array.from({ length: 40 }, () =>
      random() < 0.3 ? null : randomShares(random, 8),
    );
    const smoothed = smoothRows(
      rows,
      rows.map(() => 0.6),
    ).filter((row) => row !== null);
    expect(smoothed.length).toBeGreaterThan(30);
    for (const row of smoothed) {
      expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
    }
  });

  it('has nothing where nothing was read', () => {
    expect(smoothRows([null, null], [0, 0.5])).toEqual([null, null]);
    expect(smoothRows([], [])).toEqual([]);
  });
});
