import { describe, expect, it } from 'vitest';
import { readDescription } from '../../src/affect/description.ts';
import { layout } from '../../src/affect/layout.ts';
import affect from '../../src/affect/model/affect.json';
import json from '../../src/affect/model/tokenizer.json';
import { createTextTokenizer, type Token } from '../../src/affect/tokenizer.ts';
import { FIFTY_THOUSAND_A } from '../support/adversarial-strings.ts';
import { PARITY_CASES } from './fixtures/parity.ts';
import { CountingMap, isBoundary, STRINGS } from './fixtures/strings.ts';

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
    const options = { ids, maxTokens, tokens: tokenizer.tokenise, idOf: ({ id }: Token) => id };
    expect(layout(turns, options).ids).toEqual(inputIds);
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

  it('T06 gives twice the text twice the tokens', () => {
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

describe('tokenise', () => {
  /** What the person typed for each token. */
  function typed(text: string): string[] {
    return tokenizer.tokenise(text).map(({ start, end }) => text.slice(start, end));
  }

  it.each([
    ['I don’t know.', ['I', 'don', '’', 't', 'know', '.']],
    ['  sad\tand\n\nlonely ', ['sad', 'and', 'lonely']],
    ['man😂😂 ok', ['man', '😂', '😂', 'ok']],
    ['so 😅', ['so', '😅', '😅']],
    ['café cafe\u0301 x', ['café', 'cafe\u0301', 'x']],
    ['a\u0323\u0302\u0301 b', ['a\u0323\u0302\u0301', 'b']],
    ['İstanbul', ['İstanbul']],
    ['lo\u200bve me\u0000', ['lo\u200bve', 'me']],
    ['我很sad', ['我', '很', 'sad']],
    ['\ud800sad\udc00', ['sad']],
  ])('T07 keeps where each token of %j stands', (text, expected) => {
    // Pieces of one word are put together: which pieces there are is the vocabulary's choice.
    const tokens = tokenizer.tokenise(text);
    const words = new Map<number, { start: number; end: number }>();
    const alone: string[] = [];
    for (const { word, start, end } of tokens) {
      const before = words.get(word);
      words.set(word, { start: before?.start ?? start, end });
    }
    for (const { start, end } of words.values()) alone.push(text.slice(start, end));
    expect(alone).toEqual(expected);
  });

  it('T07 keeps where the pieces of a word stand', () => {
    expect(pieces('Unhappiest')).toEqual(pieces('unhappiest'));
    expect(typed('Unhappiest').join('')).toBe('Unhappiest');
    expect(typed('Unhappiest')).toEqual(
      pieces('unhappiest').map((piece, index) =>
        index === 0 ? `U${piece?.slice(1)}` : piece?.replace('##', ''),
      ),
    );
  });

  it.each([...STRINGS, ...PARITY_CASES.flatMap(({ turns }) => turns.map(({ text }) => text))])(
    'T07 gives the ids of the library, in order and on code points: %#',
    (text) => {
      const tokens = tokenizer.tokenise(text);
      expect(tokens.map(({ id }) => id)).toEqual(tokenizer.encode(text));
      for (const [index, { start, end, word }] of tokens.entries()) {
        expect(start).toBeLessThan(end);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(isBoundary(text, start) && isBoundary(text, end)).toBe(true);
        const before = tokens[index - 1];
        if (before === undefined) continue;
        expect(start).toBeGreaterThanOrEqual(before.start);
        expect(word - before.word === 0 || word - before.word === 1).toBe(true);
      }
    },
  );

  it('T07 gives the ids of the library for texts put together at random', () => {
    const parts = [
      ...STRINGS.slice(0, 40),
      'a\u0301',
      'ΑΣ',
      '\u302e\u302f',
      '\u1100\u1161',
      'ǅ',
      'ŉ',
      '̈́',
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: 4 }, () => {
        const part = parts[random(parts.length)] ?? '';
        const from = random(part.length + 1);
        return part.slice(from, from + 1 + random(12));
      }).join('');
      const tokens = tokenizer.tokenise(text);
      expect(tokens.map(({ id }) => id)).toEqual(tokenizer.encode(text));
      for (const { start, end } of tokens) expect(start).toBeLessThan(end);
    }
  });

  it('T06 takes 50,000 letters as one unknown word with its whole place', () => {
    expect(tokenizer.tokenise(FIFTY_THOUSAND_A)).toEqual([
      { id: vocabulary.get('[UNK]'), word: 0, start: 0, end: 50_000 },
    ]);
  });

  it('T06 takes work in proportion to the text: each code point is looked up once a pass', () => {
    const lookUps = (text: string) => {
      const replace = new CountingMap(rules.replace);
      createTextTokenizer({ json, rules: { ...rules, replace } }).tokenise(text);
      return replace.lookUps;
    };
    const mixed = 'I’m so sad 😭 cafe\u0301 我 x\u200by. '
      .repeat(500)
      .slice(0, 16_000)
      .toWellFormed();
    const points = [...mixed].length;
    expect(lookUps(mixed)).toBe(2 * points);
    expect(lookUps(FIFTY_THOUSAND_A)).toBe(100_000);
  });
});

describe('isWord', () => {
  const hasWords = (text: string) => tokenizer.encode(text).some(tokenizer.isWord);

  it.each(['sad', 'ok', '😂', '5 apples'])('finds a word in %j', (text) => {
    expect(hasWords(text)).toBe(true);
  });

  it.each(['', '…', '?!', '12.5', '🛸'])('finds none in %j', (text) => {
    expect(hasWords(text)).toBe(false);
  });

  it('does not count what stands around the texts', () => {
    expect([ids.cls, ids.speaker, ids.sep].some(tokenizer.isWord)).toBe(false);
  });
});
