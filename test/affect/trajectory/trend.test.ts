import { describe, expect, it } from 'vitest';
import { findShift } from '../../../src/affect/trajectory/shift.ts';
import type { ToneTurn } from '../../../src/affect/trajectory/tone.ts';
import { trendOf } from '../../../src/affect/trajectory/trend.ts';
import { seeded } from './random.ts';

function turnsOf(...tones: readonly number[]): ToneTurn[] {
  return tones.map((tone, turn) => ({ turn, tone, families: null }));
}

function trend(...tones: readonly number[]) {
  const turns = turnsOf(...tones);
  return trendOf(turns, findShift(turns));
}

describe('trendOf', () => {
  it.each([
    ['improving', [-0.8, -0.9, 0.7, 0.8]],
    ['worsening', [0.8, 0.9, -0.7, -0.8]],
    ['improving', [-0.6, -0.4, -0.2, 0, 0.2, 0.4]],
    ['worsening', [0.6, 0.4, 0.2, 0, -0.2, -0.4]],
    ['steady', [0.1, 0.2, 0.1]],
    ['steady', [-0.8, -0.9, -0.8, -0.7, -0.9]],
    ['steady', [-0.8, -0.9, 0.9, -0.7, -0.9]],
    ['unclear', [-0.8, 0.9, -0.7, 0.8, -0.9, 0.7]],
    ['unclear', [0.1, 0.2]],
    ['unclear', []],
  ])('calls it %s: %j', (word, tones) => {
    expect(trend(...tones)).toBe(word);
  });

  it('is news only while the shift is recent', () => {
    const after = Array.from({ length: 8 }, () => 0.8);
    expect(trend(-0.8, -0.8, ...after.slice(0, 3))).toBe('improving');
    expect(trend(-0.8, -0.8, ...after)).toBe('steady');
  });

  it('turns around when the tones do', () => {
    const opposite = { improving: 'worsening', worsening: 'improving' } as const;
    const random = seeded(12);
    for (let round = 0; round < 200; round += 1) {
      const tones = Array.from({ length: 3 + Math.floor(random() * 6) }, () => random() * 2 - 1);
      const found = trend(...tones);
      const expected = found === 'steady' || found === 'unclear' ? found : opposite[found];
      expect(trend(...tones.map((tone) => -tone))).toBe(expected);
    }
  });
});
