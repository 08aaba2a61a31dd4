/** Readings for tests. */
import { EMOTIONS, type Emotion } from '../../../src/affect/emotions.ts';
import type { TurnReading } from '../../../src/affect/trajectory/index.ts';
import { randomShares } from './random.ts';

/** All of the probability on the named emotions, in the given parts. */
export function only(parts: Partial<Record<Emotion, number>>): number[] {
  return EMOTIONS.map((emotion) => parts[emotion] ?? 0);
}

/** Turns numbered from 1 with these emotions and no other numbers; `null` could not be read. */
export function told(...emotions: readonly (Emotion | null)[]): TurnReading[] {
  return emotions.map((emotion, index) => ({
    turn: index + 1,
    probabilities: emotion === null ? null : only({ [emotion]: 1 }),
    valence: null,
    arousal: null,
    intensity: null,
  }));
}

/** Anything that a reading may be, missing and broken numbers included. */
export function randomTurns(random: () => number): TurnReading[] {
  const maybe = (low: number) => {
    const dice = random();
    if (dice < 0.2) return null;
    return dice < 0.25 ? Number.NaN : low + random() * (1 - low);
  };
  let at = 0;
  return Array.from({ length: Math.floor(random() * 24) }, (_, index) => {
    at += random() < 0.1 ? random() * 1e10 : random() * 60_000;
    return {
      turn: index + 1,
      ...(random() < 0.7 ? { at } : {}),
      probabilities: random() < 0.2 ? null : randomShares(random, EMOTIONS.length),
      valence: maybe(-1),
      arousal: maybe(-1),
      intensity: maybe(0),
    };
  });
}
