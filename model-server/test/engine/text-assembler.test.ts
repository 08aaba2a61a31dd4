import { describe, expect, it } from 'vitest';
import { FIFTY_THOUSAND_A, WELL_FORMED } from '../../../test/support/adversarial-strings.ts';
import { TextAssembler } from '../../src/engine/text-assembler.ts';
import { BYTE_OF_CHARACTER } from '../../src/engine/token-bytes.ts';

const characterOf = new Map([...BYTE_OF_CHARACTER].map(([character, byte]) => [byte, character]));
/** A vocabulary text for each single byte: the worst cut there can be. */
const byteTokens = (text: string) =>
  [...Buffer.from(text)].map((byte) => characterOf.get(byte) ?? '');
const assemble = (tokens: readonly string[]) => {
  const assembler = new TextAssembler();
  return tokens.map((token) => assembler.push(token));
};

describe('assembling text from tokens', () => {
  it.each(WELL_FORMED.filter((text) => !text.includes('\uFFFD') && !text.startsWith('\uFEFF')))(
    'S13 S15 gives %j back from single bytes in well-formed pieces',
    (text) => {
      const pieces = assemble(byteTokens(text));
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(piece).not.toMatch(/\p{Surrogate}/u);
    },
  );

  it('holds a character back until its last byte', () => {
    expect(assemble(byteTokens('😀'))).toEqual(['', '', '', '😀']);
  });

  it('leaves out bytes that are no UTF-8, and an unfinished character', () => {
    const lone = characterOf.get(0xff) ?? '';
    const [first = ''] = byteTokens('é');
    expect(assemble(['a', lone, 'b', first]).join('')).toBe('ab');
  });

  it('takes a long text', () => {
    expect(assemble([FIFTY_THOUSAND_A])).toEqual([FIFTY_THOUSAND_A]);
  });
});
