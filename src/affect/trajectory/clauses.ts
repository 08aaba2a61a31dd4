/**
 * Present apart from past: which clauses of a message speak of now, and which of then.
 *
 * "I was so sad last year, but now I am happy" names two feelings, and one of them is over. English
 * only; rules over verb forms and time adverbs, no parse. What they miss is listed, with how often,
 * in docs/decisions/2026-11-30-families-and-trajectory.md.
 */
import { type Stretch, splitClauses } from './clause-split.ts';
import { type ClauseTime, timeOf } from './clause-time.ts';
import { wordsOf } from './clause-words.ts';
import { isTimePhrase } from './time-words.ts';
import { verbTimes } from './verbs.ts';

export interface Clause {
  /** UTF-16 offsets in the text, `end` exclusive; signs that close the clause are inside. */
  readonly start: number;
  readonly end: number;
  /** Where no verb and no adverb says otherwise: `present`. */
  readonly time: ClauseTime;
}

/**
 * The clauses of a message, in order, without gaps in its words. Linear in the length of the text;
 * a text without words has none.
 *
 * A past event told on its own ("My dog died.") is past, however present the feeling is: discount
 * past clauses only where a present one stands beside them.
 *
 * @example
 * clausesOf('I was sad. I am fine.'); // [{ start: 0, end: 10, time: 'past' }, { start: 11, … }]
 */
export function clausesOf(text: string): Clause[] {
  const words = wordsOf(text);
  const verbs = verbTimes(words);
  const isTimed = (stretch: Stretch) => isTimePhrase(words, stretch);
  const stretches = splitClauses({ words, verbs, isTimed });
  const clauses: Clause[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const start = words[stretch.from]?.start ?? 0;
    const next = words[stretch.to]?.start ?? text.length;
    const before = clauses.at(-1)?.time ?? null;
    clauses.push({
      start,
      end: start + text.slice(start, next).trimEnd().length,
      time: timeOf({ words, verbs, stretches, index, before }),
    });
  }
  return clauses;
}
