import { describe, expect, it } from 'vitest';
import { isFunctionWord } from '../../src/affect/function-words.ts';

describe('isFunctionWord', () => {
  it.each([
    'the',
    'I',
    'I’m',
    "DON'T",
    'dont',
    "you've",
    "it's",
    'so-so',
    'not',
    'yeah',
    'because',
  ])('has no content: %s', (word) => {
    expect(isFunctionWord(word)).toBe(true);
  });

  it.each(['dog', "dog's", 'alone', 'died', 'mother-in-law', 'happy', 'work', 'café', 'X'])(
    'has content: %s',
    (word) => {
      expect(isFunctionWord(word)).toBe(false);
    },
  );
});
