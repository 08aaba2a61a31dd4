import { describe, expect, it } from 'vitest';
import { NO_SCORES, scoreValues } from '../../src/affect/scores.ts';
import { SCORES } from '../../src/affect/types.ts';

const around = { kind: 'regression', low: -1, high: 1 };
const probability = { kind: 'probability', low: 0, high: 1 };

describe('scoreValues', () => {
  it('reads by name, whatever the order, and leaves out what it does not know', () => {
    const columns = [
      { name: 'risk_level', kind: 'ordinal', low: 0, high: 3 },
      { name: 'arousal', ...around },
      { name: 'valence', ...around },
    ];
    const scores = scoreValues(columns, [2, 0.25, -0.5]);
    expect(scores).toEqual({ ...NO_SCORES, arousal: 0.25, valence: -0.5 });
    expect(Object.keys(scores).sort()).toEqual([...SCORES].sort());
  });

  it('keeps a regression within its bounds', () => {
    const columns = [
      { name: 'valence', ...around },
      { name: 'arousal', ...around },
      { name: 'distress', kind: 'regression', low: 0, high: 1 },
    ];
    expect(scoreValues(columns, [1.5, -7, -0.1])).toMatchObject({
      valence: 1,
      arousal: -1,
      distress: 0,
    });
  });

  it('makes a probability of a logit', () => {
    const columns = [{ name: 'self_disclosure', ...probability }];
    expect(scoreValues(columns, [0]).self_disclosure).toBe(0.5);
    expect(scoreValues(columns, [Math.log(3)]).self_disclosure).toBeCloseTo(0.75, 12);
    expect(scoreValues(columns, [-1e30]).self_disclosure).toBe(0);
  });
});

describe('NO_SCORES', () => {
  it('is null for every score', () => {
    expect(new Set(Object.values(NO_SCORES))).toEqual(new Set([null]));
  });
});
