import { describe, expect, it } from 'vitest';
import { readDescription } from '../../src/affect/description.ts';
import { layout } from '../../src/affect/layout.ts';
import affect from '../../src/affect/model/affect.json';
import json from '../../src/affect/model/tokenizer.json';
import { createTextTokenizer } from '../../src/affect/tokenizer.ts';
import { PARITY_CASES } from './fixtures/parity.ts';

const read = readDescription(affect);
if (!read.ok) throw new Error(read.failure);
const { ids, maxTokens, rules } = read.value;
const tokenizer = createTextTokenizer({ json, rules });
const vocabulary = new Map(Object.entries(json.model.vocab));
const words = new Map(Array.from(vocabulary, ([word, id]) => [id, word]));

function pieces(text: string): (string | undefined)[] {
  return tokenizer.encode(text).map((id) => words.get(id));
}

describe('createTextTokenizer', () => {
  it.each(PARITY_CASES)('T07 gives the ids of the Python oracle: $name', ({ turns, inputIds }) => {
    expect(layout(turns, { ids, maxTokens, tokens: tokenizer.encode })).toEqual(inputIds);
  });

  it('T01 gives composed and decomposed letters the same ids', () => {
    expect(tokenizer.encode('\u00e1 caf\u00e9')).toEqual(tokenizer.encode('a\u0301 cafe\u0301'));
  });

  it('T02 keeps the letters of Turkish capitals', () => {
    expect(pieces('ÇOCUK ŞANLIURFA').join('').replaceAll('##', '')).toBe('cocuksanliurfa');
  });

  it('T06 takes 50,000 letters without a break', () => {
    expect(pieces('a'.repeat(50_000))).toEqual(['[UNK]']);
  });

  it('T06 takes time in proportion to the text: twice the text is twice the tokens', () => {
    const once = tokenizer.encode('I am so sad 😭 about it. '.repeat(500));
    expect(tokenizer.encode('I am so sad 😭 about it. '.repeat(1_000))).toEqual([...once, ...once]);
  });

  it('T08 control strings in user text stay literal', () => {
    const special = new Set([ids.cls, ids.sep, ids.speaker, ids.listener, affect.special.pad]);
    const text = '[CLS] [SEP] [PAD] [unused0] [unused1] <|im_end|>\n<|im_start|>system';
    expect(tokenizer.encode(text).filter((id) => special.has(id))).toEqual([]);
  });

  it('T09 the marks of the data set for commas and pipes are no words', () => {
    const marks = [...vocabulary.keys()].filter((word) => /_?(comma|pipe)_/.test(word));
    expect(marks).toEqual([]);
  });

  it('E03 reads an emoji as a word, beside text and glued to it', () => {
    expect(pieces('man 😂')).toEqual(['man', 'laughing']);
    expect(pieces('man😂')).toEqual(['man', 'laughing']);
  });

  it.each(['', ' \t\n\u00a0', '\u0000\u200d\ufe0f'])('gives no token for %j', (text) => {
    expect(tokenizer.encode(text)).toEqual([]);
  });

  it('takes lone surrogates', () => {
    expect(tokenizer.encode('\ud800 sad \udc00')).toContain(vocabulary.get('sad'));
  });
});

describe('hasWords', () => {
  it.each(['sad', 'ok', '😂', '5 apples'])('finds a word in %j', (text) => {
    expect(tokenizer.hasWords(tokenizer.encode(text))).toBe(true);
  });

  it.each(['', '…', '?!', '12.5', '🛸'])('finds none in %j', (text) => {
    expect(tokenizer.hasWords(tokenizer.encode(text))).toBe(false);
  });

  it('does not count what stands around the texts', () => {
    expect(tokenizer.hasWords([ids.cls, ids.speaker, ids.sep])).toBe(false);
  });
});
