/**
 * The pattern language of the rules. Elements are separated by blanks:
 *
 *   word        that word (written as people write it: "don't" is spelled out by the folding)
 *   word*       any word with that beginning
 *   (a|b c)     one of these; groups nest, and `$` and gaps may stand in them
 *   {name}      one of the phrases of a named list
 *   x?          optional: x is a word, a group or a list
 *   ..3         up to three words, none of them a negator
 *   ...3        up to three words of any kind
 *   ^ and $     begin and end of the sentence
 *
 * A pattern becomes one regular expression whose every repetition is bounded; it only ever runs on
 * a sentence of at most 60 words, so time stays linear in the length of a text.
 */
import { plainWords } from '../normalise/sentences.ts';
import type { RuleSet } from './rule.ts';

export interface Pattern {
  /** The regular expression, worked out when first needed: most are never used in a session. */
  readonly source: () => string;
  /** Every match contains one of these words (`ab*` stands for a beginning). */
  readonly keys: readonly string[];
}

/** A piece of a pattern with what is known about it. */
interface Piece {
  readonly source: () => string;
  /** Words of which every match has one, or null when it can match nothing. */
  readonly keys: readonly string[] | null;
  /** How bad it is to look for candidates by these keys. */
  readonly cost: number;
}

export interface PatternContext {
  readonly classes: Readonly<Record<string, readonly string[]>>;
  readonly negators: readonly string[];
  readonly common: ReadonlySet<string>;
  /** Pieces already read: a list is worked out once for all patterns of a language. */
  readonly memo: Map<string, Piece>;
  /** Collects every word that a pattern names, for the reader of odd spellings. */
  readonly known: Set<string>;
}

/** A context with nothing read yet. */
export function patternContext(
  set: Pick<RuleSet, 'classes' | 'negation' | 'common'>,
  known: Set<string> = new Set(),
): PatternContext {
  return {
    classes: set.classes,
    negators: set.negation.negators,
    common: new Set(set.common),
    memo: new Map(),
    known,
  };
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const GAP = /^(\.{2,3})(\d+)$/;
const NO_KEYS = { keys: null, cost: Number.POSITIVE_INFINITY } as const;
/** A word that occurs in most messages is a bad key. */
const COMMON_COST = 1000;

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

function sequence(pieces: readonly Piece[]): Piece {
  const best = pieces.reduce((a, b) => (b.cost < a.cost ? b : a), { ...NO_KEYS, source: () => '' });
  return {
    source: () => pieces.map((piece) => piece.source()).join(''),
    keys: best.keys,
    cost: best.cost,
  };
}

function choice(options: readonly Piece[]): Piece {
  const required = options.every((option) => option.keys !== null);
  return {
    source: () => `(?:${options.map((option) => option.source()).join('|')})`,
    keys: required ? options.flatMap((option) => option.keys ?? []) : null,
    cost: options.reduce((sum, option) => sum + option.cost, 0),
  };
}

function word(spelling: string, context: PatternContext): Piece {
  const open = spelling.endsWith('*');
  const stem = open ? spelling.slice(0, -1) : spelling;
  if (!open) context.known.add(spelling);
  return {
    source: () => `${stem.replace(SPECIAL, '\\$&')}${open ? '[^ ,]*' : ''},? `,
    keys: [spelling],
    cost: context.common.has(spelling) ? COMMON_COST : 1,
  };
}

function gap(element: string, context: PatternContext): Piece | null {
  const match = GAP.exec(element);
  if (!match) return null;
  const negator = context.negators.map((entry) => entry.replace(SPECIAL, '\\$&')).join('|');
  const any = match[1] === '...' || negator === '';
  const skipped = any ? '[^ ]+ ' : `(?!(?:${negator}),? )[^ ]+ `;
  return { ...NO_KEYS, source: () => `(?:${skipped}){0,${match[2]}}` };
}

function readElement(element: string, context: PatternContext): Piece {
  if (element === '^' || element === '$') return { ...NO_KEYS, source: () => element };
  const skipped = gap(element, context);
  if (skipped) return skipped;
  if (element.endsWith('?')) {
    const inner = piece(element.slice(0, -1), context);
    return { ...NO_KEYS, source: () => `(?:${inner.source()})?` };
  }
  if (element.startsWith('(')) {
    const options = splitOutside(element.slice(1, -1), '|');
    return choice(options.map((option) => phrase(option, context)));
  }
  const name = /^\{([a-z_]+)\}$/.exec(element)?.[1];
  if (name !== undefined) {
    const list = context.classes[name];
    if (!list) throw new Error(`unknown word list {${name}}`);
    return choice(list.map((entry) => phrase(entry, context)));
  }
  if (/[{}()|?^]/.test(element)) throw new Error(`"${element}" cannot stand here`);
  const open = element.endsWith('*');
  const plain = plainWords(open ? element.slice(0, -1) : element);
  if (plain.length === 0) throw new Error(`no words in "${element}"`);
  if (open) return word(`${plain.join('')}*`, context);
  return sequence(plain.map((spelling) => word(spelling, context)));
}

function piece(element: string, context: PatternContext): Piece {
  let known = context.memo.get(element);
  if (!known) {
    known = readElement(element, context);
    context.memo.set(element, known);
  }
  return known;
}

function phrase(text: string, context: PatternContext): Piece {
  const elements = splitOutside(text, ' ');
  if (elements.length === 0) throw new Error('an empty phrase');
  if (elements.every((element) => element.endsWith('?'))) {
    throw new Error(`"${text}" may be empty`);
  }
  return sequence(elements.map((element) => piece(element, context)));
}

/** @throws Error with the offending part when a pattern is malformed: data is checked at build. */
export function compilePattern(pattern: string, context: PatternContext): Pattern {
  const elements = splitOutside(pattern, ' ');
  if (GAP.test(elements[0] ?? '')) throw new Error(`"${pattern}" begins with a gap`);
  const whole = phrase(pattern, context);
  if (!whole.keys) throw new Error(`"${pattern}" has no required word`);
  const anchored = elements[0] === '^';
  return {
    // A pattern begins behind a blank, which stands at the begin of the sentence as well.
    source: () => (anchored ? whole.source().replace('^', '^ ') : ` ${whole.source()}`),
    keys: [...new Set(whole.keys)],
  };
}
