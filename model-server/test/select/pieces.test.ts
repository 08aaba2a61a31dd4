import { describe, expect, it } from 'vitest';
import { WELL_FORMED } from '../../../test/support/adversarial-strings.ts';
import { piecesOf } from '../../src/select/pieces.ts';

describe('the pieces of a finished reply', () => {
  it('are words with the space before them', () => {
    expect(piecesOf('Oh no,  what\nhappened? ')).toEqual([
      'Oh',
      ' no,',
      '  what',
      '\nhappened?',
      ' ',
    ]);
    expect(piecesOf('')).toEqual([]);
  });

  it.each(WELL_FORMED)('S15 make up the text and are well-formed each: %#', (text) => {
    const pieces = piecesOf(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true);
  });
});
