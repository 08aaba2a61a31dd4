import { describe, expect, test } from 'vitest';
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import { feelingPhrase } from '../../src/words/feeling.ts';

describe('a feeling in words', () => {
  test('is said plainly when it is likely', () => {
    expect(feelingPhrase([{ label: 'sad', probability: 0.7 }])).toBe('sounds sad');
  });

  test('is said with its neighbour when it is not', () => {
    const emotions = [
      { label: 'sad', probability: 0.4 },
      { label: 'lonely', probability: 0.3 },
    ] as const;
    expect(feelingPhrase(emotions)).toBe('perhaps sad or lonely');
  });

  test('is not said when nothing is likely', () => {
    expect(feelingPhrase([])).toBeNull();
    expect(feelingPhrase(EMOTIONS.map((label) => ({ label, probability: 1 / 32 })))).toBeNull();
  });

  test('has no number in it, whatever the emotion', () => {
    for (const label of EMOTIONS) {
      expect(feelingPhrase([{ label, probability: 0.61 }])).toMatch(/^sounds [a-z]+$/);
    }
  });
});
