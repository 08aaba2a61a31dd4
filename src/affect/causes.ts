/** Which of the typed words the emotion comes from, by the graph's saliency. */
import { MAX_CAUSES, MAX_EARLIER_CAUSES } from './constants.ts';
import { isFunctionWord } from './function-words.ts';
import type { Cause } from './types.ts';
import type { TypedWord } from './words.ts';

interface ReadTurn {
  readonly message: number;
  readonly words: readonly TypedWord[];
}

/**
 * The most salient content words of the dialogue, those of the latest turn within `MAX_CAUSES` and
 * earlier ones within `MAX_EARLIER_CAUSES`. A word is as salient as its most salient piece; equal
 * ones stand in the order of the text. A word that a message repeats counts once, where it is most
 * salient.
 *
 * @param turns words of each turn that was read, with the index of its message; oldest first.
 * @param logits one per position of the sequence, finite: `cause_logits` of the graph.
 * @param latest index of the message that is judged; it need not be among `turns`.
 */
export function causeWords(
  turns: readonly ReadTurn[],
  logits: ArrayLike<number>,
  latest: number,
): Cause[] {
  const own = turns.filter(({ message }) => message === latest);
  const others = turns.filter(({ message }) => message !== latest);
  return ranked([
    ...mostSalient(others, logits, MAX_EARLIER_CAUSES),
    ...mostSalient(own, logits, MAX_CAUSES),
  ]);
}

function mostSalient(
  turns: readonly ReadTurn[],
  logits: ArrayLike<number>,
  most: number,
): readonly Cause[] {
  return ranked(turns.flatMap((turn) => causesIn(turn, logits))).slice(0, most);
}

function causesIn({ message, words }: ReadTurn, logits: ArrayLike<number>): Cause[] {
  const best = new Map<string, Cause>();
  for (const { typed, known, start, end, positions } of words) {
    if (!known || isFunctionWord(typed)) continue;
    const score = sigmoid(Math.max(...positions.map((position) => logits[position] ?? -Infinity)));
    const folded = typed.toLowerCase();
    if (score > (best.get(folded)?.score ?? -1)) best.set(folded, { message, start, end, score });
  }
  return [...best.values()].toSorted((left, right) => left.start - right.start);
}

function ranked(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((left, right) => right.score - left.score);
}

/** 1 / (1 + e⁻ˣ): within [0, 1] for every number. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
