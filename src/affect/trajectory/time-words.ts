/** Adverbs of time. */
import type { Stretch } from './clause-split.ts';
import type { Word } from './clause-words.ts';
import { formAt } from './verbs.ts';

const PAST = new Set(['yesterday', 'ago', 'formerly', 'previously', 'originally', 'initially']);
const PRESENT = new Set(['now', 'today', 'tonight', 'currently', 'lately', 'nowadays', 'anymore']);
const UNITS = new Set(
  ['night', 'week', 'weekend', 'month', 'year', 'summer', 'winter', 'spring', 'fall', 'time']
    .concat(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
    .concat(['christmas', 'semester', 'autumn', 'january', 'february', 'march', 'april', 'may'])
    .concat(['june', 'july', 'august', 'september', 'october', 'november', 'december']),
);
const PAST_PAIRS = new Set(['back then', 'at first', 'the past', 'that time', 'those days']);
const PRESENT_PAIRS = new Set(['right now', 'these days', 'this moment', 'the moment', 'so far']);

/** What the time words of a stretch say; the last one decides. */
export function adverbTime(
  words: readonly Word[],
  { from, to }: Stretch,
): 'past' | 'present' | null {
  for (let index = to - 1; index >= from; index -= 1) {
    const said = timeWordAt(words, index, from);
    if (said !== null) return said;
  }
  return null;
}

function timeWordAt(
  words: readonly Word[],
  index: number,
  from: number,
): 'past' | 'present' | null {
  const form = formAt(words, index);
  const before = index > from ? formAt(words, index - 1) : '';
  const pair = `${before} ${form}`;
  if (PAST.has(form) || PAST_PAIRS.has(pair)) return 'past';
  if (before === 'last' && UNITS.has(form)) return 'past';
  if (PRESENT.has(form) || PRESENT_PAIRS.has(pair)) return 'present';
  return null;
}

/** Words without a verb that name a time and say something of it: "sad last year". */
export function isTimePhrase(words: readonly Word[], stretch: Stretch): boolean {
  return stretch.to - stretch.from > 1 && !isBareTime(words, stretch) && timed(words, stretch);
}

function timed(words: readonly Word[], stretch: Stretch): boolean {
  return adverbTime(words, stretch) !== null;
}

/** Nothing but the time: "last year", "at first", "right now". */
function isBareTime(words: readonly Word[], { from, to }: Stretch): boolean {
  return to - from === 2 && adverbTime(words, { from: from + 1, to }) === null;
}
