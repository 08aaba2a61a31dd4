/** Compiles rule sets once and finds, for a sentence, the rules that fire. Pure. */
import { EXPANSIONS } from '../normalise/expansions.ts';
import type { Sentence } from '../normalise/sentences.ts';
import type { SafetyLanguage } from '../types.ts';
import { compilePattern, type Pattern, patternContext } from './pattern.ts';
import type { Rule, RuleSet } from './rule.ts';

/** A rule that fired, with the language it was written for. */
export interface KnownRule extends Rule {
  readonly language: SafetyLanguage;
}

export interface Match {
  readonly rule: KnownRule;
  /** False when the match, in a language where that shows, names no first person. */
  readonly mine: boolean;
}

interface Candidate {
  readonly rule: KnownRule;
  readonly expression: () => RegExp;
  readonly unless: readonly (() => RegExp)[];
  readonly self: RegExp | null;
  readonly negated: (before: string, match: string) => boolean;
}

export interface Engine {
  /** Words to look for behind odd spellings. */
  readonly known: ReadonlySet<string>;
  /** Rules whose pattern matches, is not negated and has no exception in this sentence. */
  readonly match: (sentence: Sentence) => readonly Match[];
}

// How many places in one sentence are tried when the first ones are negated.
const MAX_TRIES = 8;
// Shortest and longest beginning by which `word*` is found.
const PREFIX = { min: 3, max: 9 };

function lazy(pattern: () => Pattern, flags: string): () => RegExp {
  let compiled: RegExp | null = null;
  return () => {
    compiled ??= new RegExp(pattern().source(), flags);
    return compiled;
  };
}

function oneOf(words: readonly string[]): string {
  return words.length > 0 ? `(?:${words.join('|')})` : '(?!)';
}

/** Decides from what stands before a match whether it is negated. */
function negation({ negation: n }: RuleSet): (before: string, match: string) => boolean {
  const not = ` ${oneOf(n.negators)} (?!${oneOf(n.notNegating)}[ ,])`;
  // A comma or a new clause ends the reach of a negation: "I can't, I want to die".
  const plain = new RegExp(`${not}(?:(?!${oneOf(n.clause)} )[^ ,]+ ){0,2}$`);
  const reported = new RegExp(
    ` ${oneOf(n.negators)} (?:[^ ,]+ )?${oneOf(n.reporting)} (?:that )?$`,
  );
  const subject = new RegExp(`^ ${oneOf(n.subjects)} `);
  // "Can't stop …": the word after the negator may be the first of the match itself.
  const direct = new RegExp(` ${oneOf(n.negators)} $`);
  const exempt = new RegExp(`^ ${oneOf(n.notNegating)}[ ,]`);
  return (before, match) => {
    if (subject.test(match)) return reported.test(before);
    return plain.test(before) && !(direct.test(before) && exempt.test(match));
  };
}

/** The first match that is neither negated nor excepted, or null. */
function fires(candidate: Candidate, text: string): Match | null {
  const expression = candidate.expression();
  expression.lastIndex = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const match = expression.exec(text);
    if (!match) return null;
    const before = text.slice(0, match.index + 1);
    if (candidate.rule.evenNegated || !candidate.negated(before, match[0])) {
      if (candidate.unless.some((exception) => exception().test(text))) return null;
      const near = /(?:[^ ]+ ){0,3}$/.exec(before)?.[0] ?? '';
      const mine = candidate.self?.test(` ${near}${match[0].slice(1)}`) ?? true;
      return { rule: candidate.rule, mine };
    }
    expression.lastIndex = match.index + 1;
  }
  return null;
}

/** @throws Error naming the rule when a pattern is malformed. */
export function buildEngine(sets: readonly RuleSet[]): Engine {
  const known = new Set<string>();
  for (const [from, to] of EXPANSIONS)
    for (const word of `${from} ${to}`.split(' ')) known.add(word);
  const exact = new Map<string, Candidate[]>();
  const starts = new Map<string, Candidate[]>();
  const file = (key: string, candidate: Candidate): void => {
    const open = key.endsWith('*');
    const map = open ? starts : exact;
    const word = open ? key.slice(0, -1).slice(0, PREFIX.max) : key;
    const list = map.get(word) ?? [];
    list.push(candidate);
    map.set(word, list);
  };
  for (const set of sets) {
    const context = patternContext(set, known);
    // Exceptions are compiled when first needed, and then must not change what is known.
    const late = { ...context, known: new Set<string>() };
    const negated = negation(set);
    const self = set.self ? new RegExp(` ${oneOf(set.self)},? `) : null;
    for (const rule of set.rules) {
      try {
        const unless = (rule.unless ?? []).map((text) =>
          lazy(() => compilePattern(text, late), ''),
        );
        for (const pattern of rule.any.map((text) => compilePattern(text, context))) {
          const candidate: Candidate = {
            rule: { ...rule, language: set.language },
            expression: lazy(() => pattern, 'g'),
            unless,
            self,
            negated,
          };
          for (const key of pattern.keys) file(key, candidate);
        }
      } catch (error) {
        throw new Error(`rule ${rule.id}: ${error instanceof Error ? error.message : 'malformed'}`);
      }
    }
  }
  const match = (sentence: Sentence): readonly Match[] => {
    const candidates = new Set<Candidate>();
    for (const word of new Set(sentence.words)) {
      for (const candidate of exact.get(word) ?? []) candidates.add(candidate);
      const longest = Math.min(word.length, PREFIX.max);
      for (let length = PREFIX.min; length <= longest; length += 1) {
        for (const candidate of starts.get(word.slice(0, length)) ?? []) candidates.add(candidate);
      }
    }
    const found = new Map<string, Match>();
    for (const candidate of candidates) {
      if (found.get(candidate.rule.id)?.mine) continue;
      const hit = fires(candidate, sentence.text);
      if (hit) found.set(candidate.rule.id, hit);
    }
    return [...found.values()];
  };
  return { known, match };
}
