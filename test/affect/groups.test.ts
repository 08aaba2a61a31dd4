import { describe, expect, it } from 'vitest';
import { uniform } from '../../src/affect/calibrate.ts';
import { EMOTIONS, type Emotion } from '../../src/affect/emotions.ts';
import {
  FAMILIES,
  type Family,
  familyOf,
  familyPolarityOf,
  groupsOf,
  type Polarity,
  polarityOf,
} from '../../src/affect/groups.ts';
import { randomShares, seeded } from './trajectory/random.ts';

/** All of the probability on some emotions, in equal parts. */
function only(...emotions: readonly Emotion[]): number[] {
  return EMOTIONS.map((emotion) => (emotions.includes(emotion) ? 1 / emotions.length : 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function probabilityOf(probabilities: readonly number[], family: Family): number {
  const found = groupsOf(probabilities).families.find((entry) => entry.family === family);
  return found?.probability ?? Number.NaN;
}

describe('the families', () => {
  it('are eight, and every one has an emotion', () => {
    expect(FAMILIES).toHaveLength(8);
    expect(new Set(EMOTIONS.map(familyOf))).toEqual(new Set(FAMILIES));
  });

  it('never hold a pleasant and an unpleasant emotion together', () => {
    for (const emotion of EMOTIONS) {
      const pair = new Set<Polarity>([polarityOf(emotion), familyPolarityOf(familyOf(emotion))]);
      expect(pair.has('positive') && pair.has('negative'), emotion).toBe(false);
    }
  });

  it.each<[Emotion, Family, Polarity]>([
    ['surprised', 'surprise', 'neutral'],
    ['anticipating', 'hope', 'neutral'],
    ['prepared', 'hope', 'neutral'],
    ['nostalgic', 'warmth', 'neutral'],
    ['sentimental', 'warmth', 'neutral'],
    ['jealous', 'anger', 'negative'],
    ['disgusted', 'anger', 'negative'],
    ['embarrassed', 'shame', 'negative'],
    ['lonely', 'sadness', 'negative'],
    ['impressed', 'warmth', 'positive'],
    ['proud', 'joy', 'positive'],
  ])('place %s, which sources place differently, in %s and call it %s', (emotion, family, is) => {
    expect(familyOf(emotion)).toBe(family);
    expect(polarityOf(emotion)).toBe(is);
  });
});

describe('groupsOf', () => {
  it('adds up the emotions of a family', () => {
    const probabilities = only('angry', 'furious', 'sad', 'joyful');
    expect(groupsOf(probabilities).families.slice(0, 3)).toEqual([
      { family: 'anger', probability: 0.5 },
      { family: 'sadness', probability: 0.25 },
      { family: 'joy', probability: 0.25 },
    ]);
    expect(groupsOf(probabilities).polarity).toEqual({
      positive: 0.25,
      negative: 0.75,
      neutral: 0,
    });
  });

  it('takes the polarity from the emotion, not from its family', () => {
    expect(groupsOf(only('nostalgic')).polarity).toEqual({ positive: 0, negative: 0, neutral: 1 });
    expect(probabilityOf(only('nostalgic'), 'warmth')).toBe(1);
  });

  it('ranks equal families in the order of FAMILIES', () => {
    const { families } = groupsOf(only('sad', 'joyful', 'afraid'));
    expect(families.map(({ family }) => family)).toEqual([
      'fear',
      'sadness',
      'joy',
      'anger',
      'shame',
      'surprise',
      'hope',
      'warmth',
    ]);
  });

  it('is a ranking and two distributions for any input', () => {
    const random = seeded(1);
    for (let round = 0; round < 100; round += 1) {
      const { families, polarity } = groupsOf(randomShares(random, EMOTIONS.length));
      const probabilities = families.map(({ probability }) => probability);
      expect(sum(probabilities)).toBeCloseTo(1, 12);
      expect(probabilities).toEqual(probabilities.toSorted((left, right) => right - left));
      expect(sum(Object.values(polarity))).toBeCloseTo(1, 12);
      expect(Math.min(...probabilities, ...Object.values(polarity))).toBeGreaterThanOrEqual(0);
    }
  });

  it('does not mind a sum that float32 has left a little off 1', () => {
    const off = only('sad', 'joyful').map((probability) => probability * 1.0001);
    expect(groupsOf(off)).toEqual(groupsOf(only('sad', 'joyful')));
  });

  it.each([
    ['nothing', []],
    ['only zeros', EMOTIONS.map(() => 0)],
    ['only NaN', EMOTIONS.map(() => Number.NaN)],
    ['an infinite sum', EMOTIONS.map(() => Number.MAX_VALUE)],
  ])('E03 says of %s what it says of someone who heard nothing', (_, probabilities) => {
    expect(groupsOf(probabilities)).toEqual(groupsOf(uniform()));
  });

  it('leaves out a single entry that is no probability', () => {
    const broken = EMOTIONS.map((emotion) => (emotion === 'sad' ? 0.5 : Number.NaN));
    expect(probabilityOf(broken, 'sadness')).toBe(1);
  });
});
