import { describe, expect, it } from 'vitest';
import { progressTo } from '../../../eval/progress.ts';

/** Lines written, and a clock that stands still until it is set. */
function heard() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const report = progressTo({ write: (line) => lines.push(line), now: () => clock.ms });
  return { lines, at: (ms: number) => (clock.ms = ms), report };
}

describe('progress of a long run', () => {
  it('says at once how much there is to do', () => {
    const { lines, report } = heard();
    report(0, 1000);
    expect(lines).toEqual(['0 of 1000']);
  });

  it('says how far it is, since when, and how long the rest takes at this pace', () => {
    const { lines, at, report } = heard();
    at(60_000);
    report(0, 1000);
    at(90_000);
    report(10, 1000);
    expect(lines.at(-1)).toBe('10 of 1000, 30 s, about 2970 s left');
  });

  it('says little: a line in ten seconds at most, and always the last one', () => {
    const { lines, at, report } = heard();
    report(0, 4);
    at(9_999);
    report(1, 4);
    at(10_000);
    report(2, 4);
    at(10_001);
    report(3, 4);
    report(4, 4);
    expect(lines).toEqual(['0 of 4', '2 of 4, 10 s, about 10 s left', '4 of 4, 10 s']);
  });

  it('needs no beginning', () => {
    const { lines, at, report } = heard();
    at(20_000);
    report(5, 10);
    expect(lines).toEqual(['5 of 10, 20 s, about 20 s left']);
  });
});
