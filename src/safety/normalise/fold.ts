/**
 * Makes texts comparable: what two readers would call the same words become the same string. Only
 * the rules see the result; the person's own text is never changed. Every step is one linear pass.
 */
import { SHAPES, TWINS } from './look-alikes.ts';

// NFKC would turn a spacing accent (U+00B4) into a blank plus a mark, so apostrophes go first.
const APOSTROPHES = /['’‘ʼʹ′＇`´ˈ‛]/gu;
// Zero-width, bidi, variation selectors, tags, Hangul fillers: nothing that a reader sees.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
// Other controls, and halves of a broken pair, are treated as a gap between words.
const CONTROL = /[\p{Cc}\p{Cs}]/gu;
// Marks carry meaning in Indic scripts and are decoration only over these three alphabets.
const MARKS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;
const SHAPE = new RegExp(`[${[...SHAPES.keys()].join('')}]`, 'gu');
const TWIN_SCRIPT = /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
const LATIN = /\p{Script=Latin}/u;
const WORD = /\p{L}+/gu;
// Negative circled and squared letters, which NFKC keeps: both ranges run from A to Z.
const ENCLOSED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu;
const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/\u{1F52A}/gu, ' knife '],
  [/\u{1F52B}/gu, ' gun '],
  [/\u{1F48A}/gu, ' pills '],
  [/[\u{1F602}\u{1F923}\u{1F606}]/gu, ' lol '],
];

function enclosedLetter(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const first = code >= 0x1f170 ? 0x1f170 : 0x1f150;
  return String.fromCharCode(0x61 + code - first);
}

function allTwins(word: string): boolean {
  for (const letter of word) if (!TWINS.has(letter)) return false;
  return true;
}

function untwin(text: string): string {
  if (!TWIN_SCRIPT.test(text) || !LATIN.test(text)) return text;
  let mixed = false;
  const swap = (word: string): string => {
    let out = '';
    for (const letter of word) out += TWINS.get(letter) ?? letter;
    return out;
  };
  const first = text.replace(WORD, (word) => {
    if (!TWIN_SCRIPT.test(word) || !LATIN.test(word)) return word;
    mixed = true;
    return swap(word);
  });
  // A word made of twins only is an ordinary Russian or Greek word unless the text plays tricks.
  return mixed
    ? first.replace(WORD, (word) => (TWIN_SCRIPT.test(word) && allTwins(word) ? swap(word) : word))
    : first;
}

/**
 * Folds a text for matching: compatibility forms, case (Turkish İ and ı become i; no letter is
 * lost), accents over Latin, Greek and Cyrillic letters, apostrophes, invisible characters,
 * look-alike letters, a few pictures. Line breaks stay.
 *
 * @example fold('I’m SO ᴛɪʀᴇᴅ') // "i'm so tired"
 */
export function fold(text: string): string {
  let out = text.replace(APOSTROPHES, "'").normalize('NFKC').replace(INVISIBLE, '');
  out = out.toLowerCase().normalize('NFKD').replace(MARKS, '$1').normalize('NFC');
  out = out.replace(SHAPE, (sign) => SHAPES.get(sign) ?? sign).replace(ENCLOSED, enclosedLetter);
  for (const [picture, word] of PICTURES) out = out.replace(picture, word);
  out = out.replace(CONTROL, (sign) => (sign === '\n' ? '\n' : ' '));
  return untwin(out);
}
