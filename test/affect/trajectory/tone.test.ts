import { describe, expect, it } from 'vitest';
import { sharesOf, toneOf, toneTurns } from '../../../src/affect/trajectory/tone.ts';
import { only, told } from './readings.ts';

describe('toneOf', () => {
  it('is pleasant less unpleasant, and nothing of what is either', () => {
    expect(toneOf(only({ joyful: 1 }))).toBe(1);
    expect(toneOf(only({ sad: 1 }))).toBe(-1);
    expect(toneOf(only({ nostalgic: 1 }))).toBe(0);
    expect(toneOf(only({ joyful: 0.5, sad: 0.25, surprised: 0.25 }))).toBe(0.25);
  });
});

describe('sharesOf', () => {
  it('keeps the order of FAMILIES', () => {
    expect(sharesOf(only({ angry: 0.25, joyful: 0.75 }))).toEqual([0.25, 0, 0, 0, 0, 0, 0, 0.75]);
  });
});

describe('toneTurns', () => {
  it('leaves out what could not be read, broken numbers included', () => {
    const [first, second, third] = told('sad', null, 'joyful');
    const broken = { ...second, turn: 4, probabilities: [Number.NaN], valence: Number.NaN };
    const turns = [first, second, third].filter((turn) => turn !== undefined);
    expect(toneTurns([...turns, { ...broken, arousal: null, intensity: null }])).toMatchObject([
      { turn: 1, tone: -1 },
      { turn: 3, tone: 1 },
    ]);
  });

  it('stands in with the valence, within the same bounds', () => {
    const valences = [-1, -0.1, 0.2].map((valence, turn) => ({
      turn,
      probabilities: null,
      valence,
      arousal: null,
      intensity: null,
    }));
    expect(toneTurns(valences).map(({ tone }) => tone)).toEqual([-1, -0.4, 0.8]);
  });
});
