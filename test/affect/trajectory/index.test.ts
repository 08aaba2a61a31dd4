import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../src/affect/groups.ts';
import { trajectoryOf } from '../../../src/affect/trajectory/index.ts';
import { seeded } from './random.ts';
import { only, randomTurns, told } from './readings.ts';

/** Every number in a value, however deep. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

describe('trajectoryOf', () => {
  it('says nothing of nothing', () => {
    expect(trajectoryOf([])).toEqual({
      points: [],
      trend: 'unclear',
      shift: null,
      mixed: null,
      present: null,
    });
  });

  it('tells a dialogue that turned for the better', () => {
    const trajectory = trajectoryOf(told('sad', 'lonely', 'hopeful', 'joyful'));
    expect(trajectory.trend).toBe('improving');
    expect(trajectory.shift).toMatchObject({ direction: 'up', since: 3, from: 'sadness' });
    expect(trajectory.mixed?.kind).toBe('clear');
    expect(trajectory.present?.families?.[0]?.family).toBe('joy');
    expect(trajectory.present).toBe(trajectory.points[3]);
  });

  it('lets the newest turn weigh most in the present state', () => {
    const { present } = trajectoryOf(told('sad', 'sad', 'sad', 'joyful'));
    const shares = new Map(present?.families?.map((entry) => [entry.family, entry.probability]));
    expect(shares.get('joy')).toBeGreaterThan(0.4);
    expect(shares.get('sadness')).toBeGreaterThan(0.4);
  });

  it('keeps the state over turns that could not be read', () => {
    const { points } = trajectoryOf(told('sad', null, null));
    expect(points.map(({ families }) => families?.[0]?.family)).toEqual([
      'sadness',
      'sadness',
      'sadness',
    ]);
  });

  it('starts anew after a month of silence', () => {
    const [first, second] = told('sad', 'joyful');
    const month = 30 * 24 * 60 * 60 * 1000;
    const turns = [first, second].filter((turn) => turn !== undefined);
    const { present } = trajectoryOf(turns.map((turn, index) => ({ ...turn, at: index * month })));
    expect(present?.polarity?.positive).toBeCloseTo(1, 9);
  });

  it('forgets everything at once after forty unread turns', () => {
    const unread = Array.from({ length: 40 }, () => null);
    const turns = told('sad', 'sad', 'joyful', 'joyful', ...unread);
    const parts = [only({ joyful: 1 }), only({ jealous: 1 })];
    const forgotten = trajectoryOf(turns.map((turn) => ({ ...turn, parts })));
    expect(forgotten).toMatchObject({ trend: 'unclear', shift: null, mixed: null });
    expect(forgotten.present).toMatchObject({ families: null, polarity: null, valence: null });
  });

  it('does not compare with turns that are forgotten', () => {
    const unread = Array.from({ length: 30 }, () => null);
    const apart = trajectoryOf(told('sad', 'sad', 'sad', ...unread, 'joyful', 'joyful', 'joyful'));
    expect(apart).toMatchObject({ trend: 'steady', shift: null });
    const near = trajectoryOf(told('sad', 'sad', 'sad', null, 'joyful', 'joyful', 'joyful'));
    expect(near).toMatchObject({ trend: 'improving', shift: { since: 5 } });
  });

  it('has nothing to say of the past where the present state is blank', () => {
    const random = seeded(17);
    for (let round = 0; round < 40; round += 1) {
      const last = randomTurns(random).at(-1);
      if (last === undefined) continue;
      const blank = { turn: last.turn + 60, probabilities: null, valence: null };
      const turns = [last, { ...blank, arousal: null, intensity: null }];
      expect(trajectoryOf(turns)).toMatchObject({ trend: 'unclear', shift: null, mixed: null });
    }
  });

  it('hears two feelings in the parts of the latest turn', () => {
    const [turn] = told('joyful');
    const parts = [only({ joyful: 1 }), only({ jealous: 1 })];
    expect(turn && trajectoryOf([{ ...turn, parts }]).mixed?.kind).toBe('mixed');
  });

  it('never lets a missing or broken number become NaN, nor leaves its bounds', () => {
    const random = seeded(13);
    for (let round = 0; round < 40; round += 1) {
      const turns = randomTurns(random);
      const trajectory = trajectoryOf(turns);
      expect(trajectory.points).toHaveLength(turns.length);
      expect(numbersIn(trajectory).every(Number.isFinite)).toBe(true);
      for (const { valence, arousal, intensity, families } of trajectory.points) {
        expect(Math.abs(valence ?? 0)).toBeLessThanOrEqual(1 + 1e-12);
        expect(Math.abs(arousal ?? 0)).toBeLessThanOrEqual(1 + 1e-12);
        expect(intensity ?? 0).toBeGreaterThanOrEqual(0);
        expect(intensity ?? 0).toBeLessThanOrEqual(1 + 1e-12);
        expect(families === null || families.length === FAMILIES.length).toBe(true);
      }
    }
  });

  it('does not depend on when counting and the clock began', () => {
    const random = seeded(14);
    for (let round = 0; round < 50; round += 1) {
      const turns = randomTurns(random);
      const moved = turns.map(({ at, ...rest }) => ({
        ...rest,
        turn: rest.turn + 7,
        ...(at === undefined ? {} : { at: at + 2 ** 40 }),
      }));
      const [here, there] = [trajectoryOf(turns), trajectoryOf(moved)];
      expect(there.trend).toBe(here.trend);
      expect(there.mixed).toEqual(here.mixed);
      expect(there.shift?.since ?? null).toBe(here.shift && here.shift.since + 7);
      for (const [index, point] of here.points.entries()) {
        expect(there.points[index]?.valence ?? 0).toBeCloseTo(point.valence ?? 0, 6);
      }
    }
  });

  it('does not change a point when turns follow', () => {
    const turns = randomTurns(seeded(15));
    const all = trajectoryOf(turns).points;
    expect(all.length).toBeGreaterThan(3);
    expect(trajectoryOf(turns.slice(0, 3)).points).toEqual(all.slice(0, 3));
  });

  it('gives the same for the same', () => {
    const turns = randomTurns(seeded(16));
    expect(trajectoryOf(turns)).toEqual(trajectoryOf(turns));
  });
});
