/**
 * Is a text in a language that the model reads, which is English? Judged so that English is almost
 * never called foreign (docs/decisions/2026-11-30-language-detector.md): the script first, then
 * whether the vocabulary, which was made from English, holds the words whole, and whether English
 * grammar holds them together; only a text of which neither is true is shown to the detector.
 */
import { ENGLISH_SHARE, GRAMMAR_SHARE, LANGUAGE_CHARS, LANGUAGE_WORDS } from './constants.ts';
import { type Detect, type Detection, detectWithEld } from './detector.ts';
import { isFunctionWord } from './function-words.ts';
import { foreignLetters, isOtherScript, languageByScript, withoutLatin } from './script.ts';
import type { TypedWord } from './words.ts';

export interface Language {
  /** ISO 639-1 code, null when the text is too short or unclear. */
  readonly code: string | null;
  /** Whether the model may be asked what is felt in it. */
  readonly readable: boolean;
}

/** A text to judge. */
export interface Written {
  /** The whole message. */
  readonly text: string;
  /** Those of its words that were read. */
  readonly words: readonly Pick<TypedWord, 'typed' | 'whole'>[];
}

const UNCLEAR: Language = { code: null, readable: true };

/**
 * The language that a person writes: of the latest turn, or, when that is too short to tell, of the
 * newest one that is not.
 *
 * @param turns of the person, newest first.
 */
export function languageOfPerson(turns: readonly Written[]): Promise<Language> {
  const judged = turns.find(
    ({ text, words }) => words.length >= LANGUAGE_WORDS || isOtherScript(endOf(text)),
  );
  return judged === undefined ? Promise.resolve(UNCLEAR) : languageOf(judged);
}

/**
 * The language of one text.
 *
 * @param detect asked only when the words leave it open; when it fails, nothing is known.
 */
export async function languageOf(
  { text, words }: Written,
  detect: Detect = detectWithEld,
): Promise<Language> {
  const end = endOf(text);
  if (isOtherScript(end)) return { code: await codeByScript(end, detect), readable: false };
  if (words.length < LANGUAGE_WORDS) return UNCLEAR;
  if (isEnglish(words)) return { code: hasGrammar(words) ? 'en' : null, readable: true };
  const { code, isReliable } = await detectSafely(end, detect);
  if (code === 'en') return { code, readable: true };
  return isReliable ? { code, readable: false } : UNCLEAR;
}

function endOf(text: string): string {
  return text.slice(-LANGUAGE_CHARS);
}

function isEnglish(words: Written['words']): boolean {
  const whole = words.filter((word) => word.whole).length;
  const grammar = words.filter((word) => isFunctionWord(word.typed)).length;
  return whole >= ENGLISH_SHARE * words.length || grammar >= GRAMMAR_SHARE * words.length;
}

/** Without a single function word the vocabulary alone speaks for English: "Ma mère est malade." */
function hasGrammar(words: Written['words']): boolean {
  return words.some((word) => isFunctionWord(word.typed));
}

async function codeByScript(text: string, detect: Detect): Promise<string | null> {
  const own = languageByScript(foreignLetters(text));
  if (own !== null) return own;
  const { code, isReliable } = await detectSafely(withoutLatin(text), detect);
  return isReliable ? code : null;
}

/** A detector that cannot be had is no reason to leave a message unread. */
async function detectSafely(text: string, detect: Detect): Promise<Detection> {
  try {
    return await detect(text);
  } catch {
    return { code: null, isReliable: false };
  }
}
