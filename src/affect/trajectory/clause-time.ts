/** Past or present, one clause at a time. */
import type { Stretch } from './clause-split.ts';
import type { Word } from './clause-words.ts';
import { adverbTime } from './time-words.ts';
import { EVENTS, PERFECT } from './verb-forms.ts';
import { formAt, isPerfect, type VerbTime } from './verbs.ts';

export type ClauseTime = 'past' | 'present';

interface Clauses {
  readonly words: readonly Word[];
  readonly verbs: readonly (VerbTime | null)[];
  readonly stretches: readonly Stretch[];
  readonly index: number;
  /** Time of the clause before, `null` for the first. */
  readonly before: ClauseTime | null;
}

/** The first finite verb decides, then wishes and politeness, then adverbs. */
export function timeOf(clauses: Clauses): ClauseTime {
  const { words, verbs, stretches, index } = clauses;
  const stretch = stretches[index];
  if (stretch === undefined) return 'present';
  const at = firstVerb(verbs, stretch);
  if (at === null) return adverbTime(words, stretch) ?? 'present';
  switch (verbs[at]) {
    case 'past':
      return isUnreal(clauses, stretch) || isPolite(words, at) ? 'present' : 'past';
    case 'modal':
      return continued(clauses, stretch) ?? adverbTime(words, stretch) ?? 'present';
    case 'same':
      return adverbTime(words, stretch) ?? joined(clauses) ?? eventTime(formAt(words, at));
    default:
      return isToldAsPresent(words, stretch, at) || isClosed(words, stretch, at)
        ? 'past'
        : 'present';
  }
}

function firstVerb(verbs: readonly (VerbTime | null)[], { from, to }: Stretch): number | null {
  for (let index = from; index < to; index += 1) {
    if ((verbs[index] ?? null) !== null) return index;
  }
  return null;
}

/** "If I were braver", "I wish I was": a past form for what is not so now. */
function isUnreal({ words, stretches, index, before }: Clauses, stretch: Stretch): boolean {
  const joinedOn = words[stretch.from]?.gap === 'space';
  if (formAt(words, stretch.from) === 'if') return !(joinedOn && before === 'past');
  const previous = stretches[index - 1];
  return joinedOn && previous !== undefined && isWish(words, previous);
}

function isWish(words: readonly Word[], { from, to }: Stretch): boolean {
  return words.slice(from, to).some(({ form }) => form === 'wish' || form === 'wishing');
}

const HOPES: ReadonlySet<string> = new Set(['wondering', 'hoping', 'thinking']);
const SAYINGS: ReadonlySet<string> = new Set([
  'say',
  'ask',
  'tell',
  'thank',
  'share',
  'talk',
  'vent',
  'check',
  'let',
  'write',
  'mention',
]);
/** How far from the verb the words that make it polite may stand. */
const POLITE_REACH = 7;

/** "I was wondering if you …", "I just wanted to say …": past in form, said of now. */
function isPolite(words: readonly Word[], at: number): boolean {
  const verb = formAt(words, at);
  const rest = words.slice(at + 1, at + 1 + POLITE_REACH).map(({ form }) => form);
  const toYou = rest.includes('you');
  const saying = rest.findIndex(
    (form, index) => form === 'to' && SAYINGS.has(rest[index + 1] ?? ''),
  );
  if (verb === 'wanted') return saying === 0 && (toYou || formAt(words, at - 1) === 'just');
  if (verb !== 'was') return false;
  if (rest.some((form) => HOPES.has(form))) return toYou;
  return saying > 0 && ['about', 'going'].includes(rest[saying - 1] ?? '');
}

/** "I was told I would …": a modal goes on in the time of what it hangs on. */
function continued({ words, before }: Clauses, stretch: Stretch): ClauseTime | null {
  return words[stretch.from]?.gap === 'space' ? before : null;
}

/** "I read the letter and cried": the neighbour in the sentence tells which "read" it was. */
function joined({ words, verbs, stretches, index, before }: Clauses): ClauseTime | null {
  const stretch = stretches[index];
  if (stretch !== undefined && words[stretch.from]?.gap === 'space' && before !== null)
    return before;
  const next = stretches[index + 1];
  if (next === undefined || formAt(words, next.from) !== 'and') return null;
  const at = firstVerb(verbs, next);
  return at !== null && verbs[at] === 'past' ? 'past' : null;
}

function eventTime(form: string): ClauseTime {
  return EVENTS.has(form) ? 'past' : 'present';
}

/** "Yesterday I am walking home …": the adverb came first and sets the scene. */
function isToldAsPresent(words: readonly Word[], { from }: Stretch, at: number): boolean {
  return adverbTime(words, { from, to: at }) === 'past';
}

/** "I have been through this before": a perfect that an adverb ends. */
function isClosed(words: readonly Word[], stretch: Stretch, at: number): boolean {
  if (!PERFECT.has(formAt(words, at)) || !isPerfect(words, at)) return false;
  const rest = words.slice(at, stretch.to).map(({ form }) => form);
  if (rest.includes('never')) return false;
  return rest.at(-1) === 'before' || adverbTime(words, stretch) === 'past';
}
