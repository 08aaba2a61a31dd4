import { describe, expect, it } from 'vitest';
import { loneSurrogateAt } from '../../src/intake/well-formed.ts';

describe('loneSurrogateAt', () => {
  it.each([
    ['', -1],
    ['plain', -1],
    ['🙂👩‍👩‍👧🇩🇪', -1],
    ['\uD800', 0],
    ['ab\uDC00', 2],
    ['🙂\uD83D', 2],
    ['\uD83D\uD83D\uDE42', 0],
  ])('O09 finds the first lone surrogate of %j at %i', (text, offset) => {
    expect(loneSurrogateAt(text)).toBe(offset);
  });
});
