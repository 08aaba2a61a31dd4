import { describe, expect, it } from 'vitest';
import { BYTE_OF_CHARACTER, bytesOfToken } from '../../src/engine/token-bytes.ts';

describe('the bytes of a token', () => {
  it('cover all 256 bytes with one character each', () => {
    expect(new Set(BYTE_OF_CHARACTER.values()).size).toBe(256);
    expect(BYTE_OF_CHARACTER.size).toBe(256);
  });

  it('follow the alphabet of GPT-2: Ġ is a space, Ċ a newline, printable ASCII itself', () => {
    expect([...bytesOfToken('Ġdog')]).toEqual([...Buffer.from(' dog')]);
    expect([...bytesOfToken('Ċ')]).toEqual([10]);
    expect([...bytesOfToken('Ã©')]).toEqual([...Buffer.from('é')]);
  });
});
