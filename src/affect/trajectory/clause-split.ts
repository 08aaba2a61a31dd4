/** From words to stretches with one finite verb each. */
import type { Word } from './clause-words.ts';
import {
  ADVERBS,
  CLAUSE_SUBJECTS,
  CONNECTIVES,
  OPENERS,
  PAST_AUXILIARIES,
  POSSESSIVES,
  PRESENT_AUXILIARIES,
  SUBJECTS,
} from './verb-forms.ts';
import { formAt, type VerbTime } from './verbs.ts';

/** Words `from` … `to` − 1. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** How far ahead the verb of a subject is looked for, adverbs between them. */
const REACH = 4;

/**
 * Cuts at the ends of sentences, at commas, before connectives, and where a new subject meets its
 * verb; then gives what has no verb to its neighbour in the sentence.
 *
 * @param isTimed whether a stretch without a verb may stand alone, because it names a time.
 */
export function splitClauses(input: {
  readonly words: readonly Word[];
  readonly verbs: readonly (VerbTime | null)[];
  readonly isTimed: (stretch: Stretch) => boolean;
}): Stretch[] {
  const cuts = cutsOf(input.words, input.verbs);
  const stretches = cuts.map((from, index) => ({
    from,
    to: cuts[index + 1] ?? input.words.length,
  }));
  return merged({ ...input, stretches });
}

function cutsOf(words: readonly Word[], verbs: readonly (VerbTime | null)[]): number[] {
  const cuts: number[] = [];
  let verb = -1;
  for (const [index, word] of words.entries()) {
    const last = cuts.at(-1) ?? 0;
    if (index === 0 || word.gap !== 'space' || CONNECTIVES.has(word.form)) {
      cuts.push(index);
      verb = -1;
    } else if (verb >= 0 && !asks(words, verb, index) && startsClause(words, verbs, index)) {
      const at = openerBefore(words, index, verb);
      if (at > last) cuts.push(at);
      verb = -1;
    } else if (verb >= 0 && isSecondVerb({ words, verbs, first: verb, second: index })) {
      cuts.push(index);
      verb = -1;
    }
    if (verb < 0 && (verbs[index] ?? null) !== null) verb = index;
  }
  return cuts;
}

/** "why did he": an auxiliary before its subject, one clause. */
function asks(words: readonly Word[], verb: number, subject: number): boolean {
  const form = formAt(words, verb);
  return verb === subject - 1 && (PRESENT_AUXILIARIES.has(form) || PAST_AUXILIARIES.has(form));
}

/** A pronoun, or a possessive and a noun, whose finite verb follows. */
function startsClause(
  words: readonly Word[],
  verbs: readonly (VerbTime | null)[],
  index: number,
): boolean {
  const form = formAt(words, index);
  if (CLAUSE_SUBJECTS.has(form)) return verbFollows(words, verbs, index + 1);
  return POSSESSIVES.has(form) && verbFollows(words, verbs, index + 2);
}

function verbFollows(
  words: readonly Word[],
  verbs: readonly (VerbTime | null)[],
  from: number,
): boolean {
  for (let at = from; at < Math.min(words.length, from + REACH); at += 1) {
    if (words[at]?.gap !== 'space') return false;
    if ((verbs[at] ?? null) !== null) return true;
    if (!ADVERBS.has(formAt(words, at))) return false;
  }
  return false;
}

/** "was sad now im happy": the words that open the new clause go with it. */
function openerBefore(words: readonly Word[], index: number, verb: number): number {
  let at = index;
  while (at - 1 > verb && words[at]?.gap === 'space' && OPENERS.has(formAt(words, at - 1))) at -= 1;
  return at;
}

/** "the way he treated me | makes me sick": a past verb, then a present one without a subject. */
function isSecondVerb(input: {
  readonly words: readonly Word[];
  readonly verbs: readonly (VerbTime | null)[];
  readonly first: number;
  readonly second: number;
}): boolean {
  const { words, verbs, first, second } = input;
  return (
    verbs[first] === 'past' &&
    verbs[second] === 'present' &&
    !SUBJECTS.has(formAt(words, second - 1)) &&
    second - first > 1
  );
}

function merged(input: {
  readonly words: readonly Word[];
  readonly verbs: readonly (VerbTime | null)[];
  readonly isTimed: (stretch: Stretch) => boolean;
  readonly stretches: readonly Stretch[];
}): Stretch[] {
  const { words, verbs, isTimed } = input;
  const result: Stretch[] = [];
  /** Start of verbless words that wait for a clause of their sentence. */
  let waiting: number | null = null;
  const stands = ({ from, to }: Stretch) =>
    verbs.slice(from, to).some((verb) => verb !== null) || isTimed({ from, to });
  for (const stretch of input.stretches) {
    const opensSentence = words[stretch.from]?.gap === 'sentence';
    if (opensSentence && waiting !== null) {
      result.push({ from: waiting, to: stretch.from });
      waiting = null;
    }
    if (stands(stretch)) {
      result.push({ from: waiting ?? stretch.from, to: stretch.to });
      waiting = null;
      continue;
    }
    const before = result.at(-1);
    const opens = stretch.to - stretch.from === 1 && goesOn(words, stretch);
    if (opensSentence || opens || waiting !== null || before === undefined) {
      waiting ??= stretch.from;
    } else {
      result.splice(-1, 1, { from: before.from, to: stretch.to });
    }
  }
  if (waiting !== null) result.push({ from: waiting, to: words.length });
  return result;
}

/** A connective alone, with more of its sentence behind it: "…, but now I am happy". */
function goesOn(words: readonly Word[], { from, to }: Stretch): boolean {
  return CONNECTIVES.has(formAt(words, from)) && words[to]?.gap === 'space';
}
