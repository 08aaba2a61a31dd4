import { describe, expect, it } from 'vitest';
import { uniform } from '../../../src/affect/calibrate.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import { mixtureOf } from '../../../src/affect/trajectory/mixed.ts';
import { randomShares, seeded } from './random.ts';
import { only } from './readings.ts';

describe('mixtureOf', () => {
  it('names the two families that pull apart, stronger first', () => {
    expect(mixtureOf(only({ proud: 0.35, anxious: 0.45, hopeful: 0.2 }))).toMatchObject({
      kind: 'mixed',
      families: ['fear', 'joy'],
    });
  });

  it('does not call two unpleasant families mixed, nor two pleasant ones', () => {
    expect(mixtureOf(only({ angry: 0.5, sad: 0.5 }))?.kind).toBe('clear');
    expect(mixtureOf(only({ joyful: 0.5, grateful: 0.5 }))?.kind).toBe('clear');
  });

  it('tells mixed from flat: where no family stands out there are not two', () => {
    expect(mixtureOf(uniform())).toMatchObject({ kind: 'flat', families: null });
  });

  it('finds in two parts what the whole averages away', () => {
    const whole = only({ joyful: 0.8, jealous: 0.2 });
    const parts = [only({ joyful: 1 }), only({ jealous: 0.9, joyful: 0.1 })];
    expect(mixtureOf(whole)?.kind).toBe('clear');
    expect(mixtureOf(whole, parts)).toMatchObject({ kind: 'mixed', families: ['joy', 'anger'] });
    expect(mixtureOf(whole, parts.toReversed())).toEqual(mixtureOf(whole, parts));
  });

  it('takes no part of one message alone, none that agree, and none that are broken', () => {
    const whole = only({ joyful: 1 });
    const sad = only({ sad: 1 });
    expect(mixtureOf(whole, [sad])?.kind).toBe('clear');
    expect(mixtureOf(whole, [sad, sad])?.kind).toBe('clear');
    expect(mixtureOf(whole, [sad, [Number.NaN]])?.kind).toBe('clear');
  });

  it('is null where nothing was read', () => {
    expect(mixtureOf([])).toBeNull();
  });

  it('always has an entropy between 0 and 1, and a pair exactly when mixed', () => {
    const random = seeded(11);
    for (let round = 0; round < 200; round += 1) {
      const mixture = mixtureOf(randomShares(random, EMOTIONS.length));
      expect(mixture?.entropy).toBeGreaterThanOrEqual(0);
      expect(mixture?.entropy).toBeLessThanOrEqual(1);
      expect(mixture?.families === null).toBe(mixture?.kind !== 'mixed');
    }
  });
});
