import { describe, expect, it } from 'vitest';
import { readDescription } from '../../src/affect/description.ts';
import description from '../../src/affect/model/affect.json';
import { type NormaliseRules, normalise } from '../../src/affect/normalise.ts';

const RULES: NormaliseRules = {
  replace: new Map([
    ['😂', ' laughing '],
    ['’', "'"],
    ['🏽', ''],
  ]),
  isolate: [[0x1f000, 0x1faff]],
};

describe('normalise', () => {
  it('replaces what has a name', () => {
    expect(normalise('great😂 it’s', RULES)).toBe("great laughing  it's");
  });

  it('sets unnamed emoji apart so that the word beside them stays a word', () => {
    expect(normalise('news🛸today', RULES)).toBe('news 🛸 today');
  });

  it('drops what is replaced by nothing', () => {
    expect(normalise('👍🏽', RULES)).toBe(' 👍 ');
  });

  it('isolates both ends of a range and nothing beside it', () => {
    const rules: NormaliseRules = { replace: new Map(), isolate: [[0x61, 0x62]] };
    expect(normalise('`abc', rules)).toBe('` a  b c');
  });

  it('keeps everything else as it is, white space, NUL and lone surrogates included', () => {
    const text = ' \t\n\u0000\ud800a\u0301 Ç <|im_end|> \udc00';
    expect(normalise(text, RULES)).toBe(text);
  });

  it('gives the same for the pieces as for the whole', () => {
    const read = readDescription(description);
    if (!read.ok) throw new Error(read.failure);
    const { rules } = read.value;
    const text = 'you got this man 😆😂 it’s 👩🏾‍⚕️!';
    const pieces = Array.from(text, (character) => normalise(character, rules));
    expect(normalise(text, rules)).toBe(pieces.join(''));
  });
});
