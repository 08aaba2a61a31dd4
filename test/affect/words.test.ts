import { describe, expect, it } from 'vitest';
import { readDescription } from '../../src/affect/description.ts';
import { layout } from '../../src/affect/layout.ts';
import affect from '../../src/affect/model/affect.json';
import json from '../../src/affect/model/tokenizer.json';
import { createTextTokenizer } from '../../src/affect/tokenizer.ts';
import { type TypedWord, typedWords } from '../../src/affect/words.ts';
import { FIFTY_THOUSAND_A } from '../support/adversarial-strings.ts';
import { isBoundary, STRINGS } from './fixtures/strings.ts';

const read = readDescription(affect);
if (!read.ok) throw new Error(read.failure);
const { ids, maxTokens, rules } = read.value;
const tokenizer = createTextTokenizer({ json, rules });

/** The words of a text that stands alone, and the sequence that they have places in. */
function wordsOf(text: string): { words: TypedWord[]; sequence: number[] } {
  const laid = layout([{ role: 'user', text }], {
    ids,
    maxTokens,
    tokens: tokenizer.tokenise,
    idOf: ({ id }) => id,
  });
  const words = laid.turns.flatMap((turn) => typedWords(text, turn, tokenizer.isWord));
  return { words, sequence: laid.ids };
}

function typed(text: string): string[] {
  return wordsOf(text).words.map((word) => word.typed);
}

describe('typedWords', () => {
  it.each([
    ['My dog died.', ['My', 'dog', 'died']],
    ["I don’t, she WON'T!", ['I', 'don’t', 'she', "WON'T"]],
    ['my mother-in-law -- really', ['my', 'mother-in-law', 'really']],
    ["the dogs' bowl 'n' all", ['the', 'dogs', 'bowl', 'n', 'all']],
    ['5 apples, 2nd time, 5-year-old', ['apples', '2nd', 'time', '5-year-old']],
    ['great😂news 🛸 …', ['great', 'news']],
    ['_comma_ <|im_end|>', ['comma', 'im', 'end']],
    ['so\u200bft cafe\u0301s', ['so\u200bft', 'cafe\u0301s']],
    ['😅 … 12.5', []],
  ])('cuts %j into the words that were typed', (text, expected) => {
    expect(typed(text)).toEqual(expected);
  });

  it.each(STRINGS)('gives places that cut the typed word out of the text: %#', (text) => {
    const { words, sequence } = wordsOf(text);
    let end = 0;
    for (const word of words) {
      expect(word.start).toBeGreaterThanOrEqual(end);
      expect(word.end).toBeGreaterThan(word.start);
      expect(isBoundary(text, word.start) && isBoundary(text, word.end)).toBe(true);
      expect(text.slice(word.start, word.end)).toBe(word.typed);
      end = word.end;
      // The slice alone gives the pieces that the word has in its sentence.
      const own = tokenizer.encode(word.typed);
      const first = word.positions[0] ?? Number.NaN;
      expect(sequence.slice(first, first + own.length)).toEqual(own);
      for (const position of word.positions) expect(own).toContain(sequence[position]);
    }
    expect(end).toBeLessThanOrEqual(text.length);
  });

  it('T06 gives 50,000 letters as one word that is not known', () => {
    expect(wordsOf(FIFTY_THOUSAND_A).words).toEqual([
      {
        start: 0,
        end: 50_000,
        typed: FIFTY_THOUSAND_A,
        positions: [2],
        known: false,
        whole: false,
      },
    ]);
  });

  it('T06 gives the words at the end of a long text their own places', () => {
    const text = `${'I was waiting — café 😭. '.repeat(640)}My dog died.`.slice(-16_000);
    const { words } = wordsOf(text);
    expect(words.slice(-3).map((word) => text.slice(word.start, word.end))).toEqual([
      'My',
      'dog',
      'died',
    ]);
  });

  it.each([
    ['heartbrokenness', 124],
    ['mother-in-law', 123],
    ['don’t', 124],
    ['lo\u200bnelinesses', 124],
  ])('T06 leaves out %j, which the window cuts in two', (cut, dogs) => {
    expect(new Set(typed(`${cut} ${'dog '.repeat(dogs)}`))).toEqual(new Set(['dog']));
  });

  it.each(['Sad', ' ‘Sad', '我'])('T06 keeps %j, before which the window cuts', (first) => {
    const [kept] = typed(`heartbroken 我${first} ${'dog '.repeat(123)}`).slice(-124);
    expect(kept).toBe(first.replace(' ‘', ''));
  });

  it('tells words that the vocabulary holds whole from those in pieces', () => {
    const { words } = wordsOf('sad traurigkeit');
    expect(words.map(({ known, whole }) => [known, whole])).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});
