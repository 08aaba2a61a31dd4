/** What the letters of a text tell of its language. */
import { KANA_SHARE } from './constants.ts';

const LETTERS = /\p{L}/gu;
/** Letters of no other script than Latin; mathematical letters and the like belong to none. */
const OURS = /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const LATIN = /\p{Script=Latin}+/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/** Scripts that one language has nearly for itself. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
];

/** The letters of a text that are of another script than English. */
export function foreignLetters(text: string): readonly string[] {
  return (text.match(LETTERS) ?? []).filter((letter) => !OURS.test(letter));
}

/** Whether most letters of a text are of another script than English. */
export function isOtherScript(text: string): boolean {
  return foreignLetters(text).length * 2 > (text.match(LETTERS) ?? []).length;
}

/** ISO 639-1 code of the language whose own script most of these letters are of, or null. */
export function languageByScript(letters: readonly string[]): string | null {
  const isMost = (count: number) => count * 2 > letters.length;
  const own = BY_SCRIPT.find(([script]) => isMost(countOf(letters, script)));
  if (own !== undefined) return own[1];
  const kana = countOf(letters, KANA);
  const japanese = kana + countOf(letters, HAN);
  return isMost(japanese) && kana >= KANA_SHARE * japanese ? 'ja' : null;
}

/** A text without its Latin letters: a name or an "ok" in it would mislead a detector. */
export function withoutLatin(text: string): string {
  return text.replace(LATIN, ' ');
}

function countOf(letters: readonly string[], script: RegExp): number {
  return letters.filter((letter) => script.test(letter)).length;
}
