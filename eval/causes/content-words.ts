/** The words of a text that can be a cause: with a letter, and no function word. Pure. */
import { isFunctionWord } from '../../src/affect/function-words.ts';
import type { Span } from './recall.ts';

/** Letters and digits with inner apostrophes and hyphens, as one word: the runtime's own joints. */
const WORD = /[\p{L}\p{N}]+(?:['’‘ʼ-][\p{L}\p{N}]+)*/gu;
const LETTER = /\p{L}/u;

/** Spans of the content words, in order. */
export function contentWords(text: string): Span[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    LETTER.test(word) && !isFunctionWord(word) ? [{ start: index, end: index + word.length }] : [],
  );
}
