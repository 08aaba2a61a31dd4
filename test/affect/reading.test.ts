import { describe, expect, it } from 'vitest';
import { LOW_CONFIDENCE } from '../../src/affect/constants.ts';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { nothingRead, type ReadingInput, toReading } from '../../src/affect/reading.ts';
import { NO_SCORES } from '../../src/affect/scores.ts';

/** Probability `top` for the label at `index`, the rest shared by the others. */
function peaked(index: number, top: number): number[] {
  return EMOTIONS.map((_, at) => (at === index ? top : (1 - top) / (EMOTIONS.length - 1)));
}

const CLEAR: ReadingInput = {
  probabilities: peaked(22, 0.8),
  scores: { ...NO_SCORES, valence: 0.6, intensity: 0.5 },
  causeLogits: [0],
  turns: [
    {
      message: 2,
      words: [{ start: 3, end: 6, typed: 'dog', positions: [0], known: true, whole: true }],
    },
  ],
  latest: 2,
  hasWords: true,
  language: { code: 'en', readable: true },
};

/** All that depends on words in a language that the model reads. */
const NOTHING = { causes: [], ...NO_SCORES };

describe('toReading', () => {
  it('stands behind a clear label, with everything that was read', () => {
    const reading = toReading(CLEAR);
    expect(reading.emotions[0]).toEqual({ label: 'joyful', probability: 0.8 });
    expect(reading.groups.families[0]?.family).toBe('joy');
    expect(reading).toMatchObject({
      abstained: false,
      causes: [{ message: 2, start: 3, end: 6, score: 0.5 }],
      valence: 0.6,
      intensity: 0.5,
      dominance: null,
      language: 'en',
    });
    expect(reading).not.toHaveProperty('abstain_reason');
  });

  it('E08 abstains below the threshold and stands behind the label at it', () => {
    const doubtful = toReading({ ...CLEAR, probabilities: peaked(3, LOW_CONFIDENCE - 1e-6) });
    expect(doubtful).toMatchObject({ abstained: true, abstain_reason: 'low_confidence' });
    expect(doubtful.causes).toHaveLength(1);
    expect(doubtful.valence).toBe(0.6);
    expect(toReading({ ...CLEAR, probabilities: peaked(3, LOW_CONFIDENCE) }).abstained).toBe(false);
  });

  it('abstains without words, however sure the model is, and still ranks', () => {
    const reading = toReading({ ...CLEAR, probabilities: peaked(27, 0.9), hasWords: false });
    expect(reading).toMatchObject({ abstained: true, abstain_reason: 'no_words', ...NOTHING });
    expect(reading.emotions[0]?.label).toBe('sad');
    expect(reading.groups.families[0]?.family).toBe('sadness');
  });

  it('abstains on another language, however sure the model is, and still ranks', () => {
    const language = { code: 'es', readable: false };
    const reading = toReading({ ...CLEAR, language, hasWords: false });
    expect(reading).toMatchObject({
      abstained: true,
      abstain_reason: 'language',
      language: 'es',
      ...NOTHING,
    });
    expect(reading.emotions[0]?.label).toBe('joyful');
  });
});

describe('nothingRead', () => {
  it('E03 is a distribution over all emotions, never all zeros', () => {
    const reading = nothingRead();
    expect(reading).toMatchObject({ abstained: true, abstain_reason: 'no_words', language: null });
    expect(reading).toMatchObject(NOTHING);
    expect(reading.emotions.every(({ probability }) => probability === 1 / 32)).toBe(true);
  });
});
