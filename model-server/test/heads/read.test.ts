import { describe, expect, it } from 'vitest';
import { readHead, readJudge } from '../../src/heads/read.ts';

const tokens = new Map([
  ['sad', 1],
  ['proud', 2],
  ['afraid', 3],
] as const);

describe('reading a head', () => {
  it('ranks its labels, renormalised, and tells its share of the distribution', () => {
    const head = readHead(
      new Map([
        [9, 0.5],
        [2, 0.3],
        [1, 0.1],
      ]),
      tokens,
    );
    expect(head.mass).toBeCloseTo(0.4, 12);
    expect(head.ranked.map(({ label }) => label)).toEqual(['proud', 'sad', 'afraid']);
    expect(head.ranked.map(({ probability }) => probability)).toEqual([
      expect.closeTo(0.75, 12),
      expect.closeTo(0.25, 12),
      0,
    ]);
  });

  it('is uniform, with no mass, when the model has no idea of the slot', () => {
    const head = readHead(new Map([[9, 1]]), tokens);
    expect(head.mass).toBe(0);
    expect(head.ranked.map(({ probability }) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});

describe('reading the judge', () => {
  it('is the share of good among good and bad', () => {
    expect(
      readJudge(
        new Map([
          [1, 0.6],
          [2, 0.2],
          [3, 0.2],
        ]),
        { good: 1, bad: 2 },
      ),
    ).toBeCloseTo(0.75, 12);
  });

  it('is unknown when neither has any mass', () => {
    expect(readJudge(new Map([[3, 1]]), { good: 1, bad: 2 })).toBeNull();
  });
});
