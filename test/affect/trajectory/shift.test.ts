import { describe, expect, it } from 'vitest';
import { EMOTIONS, type Emotion } from '../../../src/affect/emotions.ts';
import { SHIFT_WINDOW } from '../../../src/affect/trajectory/constants.ts';
import { findShift } from '../../../src/affect/trajectory/shift.ts';
import { type ToneTurn, toneTurns } from '../../../src/affect/trajectory/tone.ts';
import { randomShares, seeded } from './random.ts';
import { told } from './readings.ts';

function shiftOf(...emotions: readonly (Emotion | null)[]) {
  return findShift(toneTurns(told(...emotions)));
}

describe('findShift', () => {
  it('says which way, how far, since when, from what to what', () => {
    expect(shiftOf('sad', 'lonely', 'joyful', 'excited')).toEqual({
      direction: 'up',
      size: 2,
      divergence: 1,
      since: 3,
      from: 'sadness',
      to: 'joy',
    });
    expect(shiftOf('proud', 'proud', 'proud', 'angry', 'furious')).toMatchObject({
      direction: 'down',
      size: -2,
      since: 4,
    });
  });

  it('sees another feeling of the same tone', () => {
    expect(shiftOf('angry', 'furious', 'angry', 'sad', 'lonely', 'sad')).toMatchObject({
      direction: 'sideways',
      size: 0,
      since: 4,
      from: 'anger',
      to: 'sadness',
    });
  });

  it('counts turns by their number, passing over those that could not be read', () => {
    expect(shiftOf('sad', null, 'sad', null, null, 'joyful', 'joyful')?.since).toBe(6);
  });

  it('reports the way back after there and back', () => {
    const shift = shiftOf('sad', 'sad', 'sad', 'joyful', 'joyful', 'joyful', 'sad', 'sad', 'sad');
    expect(shift).toMatchObject({ direction: 'down', since: 7 });
  });

  it('forgets what lies outside the window', () => {
    const calm = Array.from({ length: SHIFT_WINDOW }, (): Emotion => 'joyful');
    expect(shiftOf('sad', 'sad', 'sad', ...calm)).toBeNull();
  });

  it.each([
    ['no turns', []],
    ['one turn', ['sad']],
    ['three turns, however far apart', ['sad', 'sad', 'joyful']],
    ['nothing that could be read', [null, null, null, null, null]],
  ] satisfies [string, (Emotion | null)[]][])('finds none in %s', (_, emotions) => {
    expect(shiftOf(...emotions)).toBeNull();
  });

  it('finds none in the same reading over and over', () => {
    const random = seeded(7);
    for (let round = 0; round < 40; round += 1) {
      const turn = { probabilities: randomShares(random, EMOTIONS.length), valence: null };
      const turns = told(...Array.from({ length: 2 + round }, (): Emotion => 'sad'));
      expect(findShift(toneTurns(turns.map((told) => ({ ...told, ...turn }))))).toBeNull();
    }
  });

  it('finds none in one stray turn, wherever it stands and whatever it is', () => {
    const random = seeded(8);
    for (let round = 0; round < 100; round += 1) {
      const usual = pick(random);
      const emotions = Array.from({ length: 2 + Math.floor(random() * 10) }, () => usual);
      emotions.splice(Math.floor(random() * emotions.length), 1, pick(random));
      expect(shiftOf(...emotions), emotions.join()).toBeNull();
    }
  });

  it('turns around when the tones do, and does not mind where counting starts', () => {
    const random = seeded(9);
    for (let round = 0; round < 100; round += 1) {
      const turns = Array.from(
        { length: 4 + Math.floor(random() * 8) },
        (_, turn): ToneTurn => ({ turn, tone: random() * 2 - 1, families: null }),
      );
      const shift = findShift(turns);
      const mirrored = findShift(turns.map((turn) => ({ ...turn, tone: -turn.tone })));
      const later = findShift(turns.map((turn) => ({ ...turn, turn: turn.turn + 100 })));
      expect(mirrored?.since).toBe(shift?.since);
      expect(mirrored?.size ?? 0).toBeCloseTo(-(shift?.size ?? 0), 12);
      expect(later?.since ?? null).toBe(shift && shift.since + 100);
    }
  });

  it('needs less evidence the lower its limits', () => {
    const random = seeded(10);
    for (let round = 0; round < 100; round += 1) {
      const turns = Array.from(
        { length: 8 },
        (_, turn): ToneTurn => ({ turn, tone: random() * 2 - 1, families: null }),
      );
      const strict = findShift(turns, { tone: 0.6, divergence: 9 });
      if (strict !== null) expect(findShift(turns, { tone: 0.3, divergence: 9 })).not.toBeNull();
    }
  });
});

function pick(random: () => number): Emotion {
  return EMOTIONS[Math.floor(random() * EMOTIONS.length)] ?? 'sad';
}
