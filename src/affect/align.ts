/**
 * A text as the tokenizer sees it, and where in the original each part of it stands.
 *
 * `@huggingface/tokenizers` gives no offsets, so the rules of its BertNormalizer are applied here code
 * point by code point (model/FORMAT.md, section 6). That is the same as applying them to the whole:
 * lower-casing is free of context once `Σ` is replaced, and NFD moves only combining marks past each
 * other, nearly all of which are dropped; the rest changes places, never the length.
 */
import { type NormaliseRules, normaliseCodePoint } from './normalise.ts';

/** Part of a text: UTF-16 offsets, always on code point boundaries. */
export interface Span {
  readonly start: number;
  /** Behind the last code unit. */
  readonly end: number;
}

export interface Aligned {
  /** What BertNormalizer makes of the normalised text. */
  readonly text: string;
  /** For each UTF-16 unit of `text`, where the code point that it came from starts in the original. */
  readonly starts: readonly number[];
  /** … and where it ends, the combining marks that follow included. */
  readonly ends: readonly number[];
}

const MARK = /^\p{M}$/u;
const MARKS_NOT_SPACING = /\p{Mn}/gu;
const BLANK = /^\s$/;
/** Control, format, private use, lone surrogate: as BertNormalizer's `clean_text` drops them. */
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]$/u;

/** Linear in the text. */
export function align(text: string, rules: NormaliseRules): Aligned {
  const starts: number[] = [];
  const ends: number[] = [];
  let seen = '';
  let at = 0;
  for (const character of text) {
    const start = at;
    at += character.length;
    const made = seenAs(normaliseCodePoint(character, rules));
    for (let unit = 0; unit < made.length; unit += 1) {
      starts.push(start);
      ends.push(at);
    }
    seen += made;
    // A dropped accent belongs to its letter; a span must not cut between them.
    const before = ends.length - 1;
    if (made === '' && ends[before] === start && MARK.test(character)) ends[before] = at;
  }
  return { text: seen, starts, ends };
}

/** Where units `from` to `to` (exclusive) of the aligned text stand in the original. */
export function spanOf({ starts, ends }: Aligned, from: number, to: number): Span {
  const start = starts[from] ?? 0;
  return { start, end: ends[to - 1] ?? start };
}

function seenAs(normalised: string): string {
  let made = '';
  for (const character of normalised) made += bert(character);
  return made;
}

/** BertNormalizer on one code point: clean, set ideographs apart, lower case, strip accents. */
function bert(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point > 0x20 && point < 0x7f) return character.toLowerCase();
  if (character === '\t' || character === '\n' || character === '\r') return ' ';
  if (INVISIBLE.test(character)) return '';
  if (BLANK.test(character)) return ' ';
  const bare = character.toLowerCase().normalize('NFD').replace(MARKS_NOT_SPACING, '');
  return isIdeograph(point) ? ` ${bare} ` : bare;
}

/** The ideographs of the basic plane; those beyond it are isolated by the rules of `affect.json`. */
function isIdeograph(point: number): boolean {
  return (
    (point >= 0x4e00 && point <= 0x9fff) ||
    (point >= 0x3400 && point <= 0x4dbf) ||
    (point >= 0xf900 && point <= 0xfaff)
  );
}
