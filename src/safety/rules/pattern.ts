/**
 * The pattern language of the rules. Elements are separated by blanks:
 *
 *   word        that word (written as people write it: "don't" is spelled out by the folding)
 *   word*       any word with that beginning
 *   (a|b c)     one of these phrases; groups nest, and `$` may be one of them
 *   {name}      one of the phrases of a named list
 *   x?          optional: x is any of the above
 *   ..3         up to three words, none of them a negator
 *   ...3        up to three words of any kind
 *   ^ and $     begin and end of the sentence
 *
 * A pattern becomes one regular expression whose every repetition is bounded; it only ever runs on
 * a sentence of at most 60 words, so time stays linear in the length of a text.
 */
import { plainWords } from '../normalise/sentences.ts';

export interface Pattern {
  /** The regular expression, worked out when first needed: most are never used in a session. */
  readonly source: () => string;
  /** Every match contains one of these words (`ab*` stands for a beginning). */
  readonly keys: readonly string[];
  /** All words that the pattern names, for the reader of odd spellings. */
  readonly words: readonly string[];
}

export interface PatternContext {
  readonly classes: Readonly<Record<string, readonly string[]>>;
  readonly negators: readonly string[];
  readonly common: ReadonlySet<string>;
  /** Spelled-out elements, so that a list is worked out once for all patterns of a language. */
  readonly memo: Map<string, readonly Phrase[]>;
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
/** Stands for the end of the sentence inside a group: `(tonight|$)`. */
const END = '$';

const GAP = /^(\.{2,3})(\d+)$/;

type Phrase = readonly string[];

/** Splits at a separator that stands outside parentheses. */
function splitOutside(text: string, separator: ' ' | '|'): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth < 0) throw new Error(`unbalanced parenthesis in "${text}"`);
    if (sign === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (depth !== 0) throw new Error(`unbalanced parenthesis in "${text}"`);
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

function elementPhrases(element: string, context: PatternContext): readonly Phrase[] {
  let list = context.memo.get(element);
  if (!list) {
    list = spellOut(element, context);
    context.memo.set(element, list);
  }
  return list;
}

function spellOut(element: string, context: PatternContext): readonly Phrase[] {
  if (element === END || GAP.test(element)) return [[element]];
  if (element.length > 1 && element.endsWith('?')) {
    return [[], ...elementPhrases(element.slice(0, -1), context)];
  }
  if (element.startsWith('(')) {
    const list = splitOutside(element.slice(1, -1), '|').flatMap((entry) =>
      phrases(entry, context),
    );
    if (list.some((phrase) => phrase.length === 0)) throw new Error(`"${element}" may be empty`);
    return list;
  }
  const name = /^\{([a-z_]+)\}$/.exec(element)?.[1];
  if (name !== undefined) {
    const list = context.classes[name];
    if (!list) throw new Error(`unknown word list {${name}}`);
    return list.flatMap((entry) => phrases(entry, context));
  }
  if (/[{}()|?^]/.test(element)) {
    throw new Error(`"${element}" cannot stand here`);
  }
  if (element.endsWith('*')) return [[`${plainWords(element.slice(0, -1)).join('')}*`]];
  return [plainWords(element)];
}

/** Every spelling-out of a sequence of words, lists and groups. */
function phrases(text: string, context: PatternContext): readonly Phrase[] {
  let all: readonly Phrase[] = [[]];
  for (const element of splitOutside(text, ' ')) {
    const next = elementPhrases(element, context);
    all = all.flatMap((start) => next.map((end) => [...start, ...end]));
  }
  return all;
}

function wordSource(word: string, gapWord: string): string {
  if (word === END) return END;
  const gap = GAP.exec(word);
  if (gap) return `(?:${gap[1] === '...' ? '[^ ]+ ' : gapWord}){0,${gap[2]}}`;
  const open = word.endsWith('*');
  const text = (open ? word.slice(0, -1) : word).replace(SPECIAL, '\\$&');
  return `${text}${open ? '[^ ,]*' : ''},? `;
}

function rarest(phrase: Phrase, common: ReadonlySet<string>): string {
  const words = phrase.filter((word) => !GAP.test(word));
  return words.find((word) => !common.has(word)) ?? words[0] ?? '';
}

/** Cost of finding candidates by this element: one for each list entry, more for common words. */
function cost(alternatives: readonly Phrase[], common: ReadonlySet<string>): number {
  return alternatives.reduce((sum, phrase) => {
    if (phrase.length === 0 || phrase.includes(END)) return Number.POSITIVE_INFINITY;
    return sum + (phrase.every((word) => common.has(word) || GAP.test(word)) ? 1000 : 1);
  }, 0);
}

function expression(elements: readonly string[], context: PatternContext): string {
  const negator = context.negators.map((word) => word.replace(SPECIAL, '\\$&')).join('|');
  const gapWord = negator === '' ? '[^ ]+ ' : `(?!(?:${negator}),? )[^ ]+ `;
  let source = '';
  for (const element of elements) {
    if (element === '^') source += '^ ';
    else if (element === END || GAP.test(element)) source += wordSource(element, gapWord);
    else {
      const optional = element.endsWith('?');
      const body = elementPhrases(optional ? element.slice(0, -1) : element, context)
        .map((phrase) => phrase.map((word) => wordSource(word, gapWord)).join(''))
        .join('|');
      source += `${source === '' ? ' ' : ''}(?:${body})${optional ? '?' : ''}`;
    }
  }
  return source;
}

/** @throws Error with the offending part when a pattern is malformed: data is checked at build. */
export function compilePattern(pattern: string, context: PatternContext): Pattern {
  const elements = splitOutside(pattern, ' ');
  if (GAP.test(elements[0] ?? '')) throw new Error(`"${pattern}" begins with a gap`);
  const words = new Set<string>();
  let keys: readonly Phrase[] | null = null;
  for (const element of elements) {
    if (element === '^' || element === END || GAP.test(element)) continue;
    const optional = element.endsWith('?');
    const list = elementPhrases(optional ? element.slice(0, -1) : element, context);
    for (const phrase of list) for (const word of phrase) words.add(word);
    if (!optional && (!keys || cost(list, context.common) < cost(keys, context.common))) {
      keys = list;
    }
  }
  if (!keys || cost(keys, context.common) === Number.POSITIVE_INFINITY) {
    throw new Error(`"${pattern}" has no required word`);
  }
  return {
    source: () => expression(elements, context),
    keys: [...new Set(keys.map((phrase) => rarest(phrase, context.common)))],
    words: [...words].filter((word) => !/^\.\.|[*$]$/.test(word)),
  };
}
