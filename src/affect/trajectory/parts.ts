/** Stretches of a message that may carry a feeling each. */
import { wordsOf } from './clause-words.ts';

/** UTF-16 offsets, `end` exclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const CONTRASTS: ReadonlySet<string> = new Set(['but', 'though', 'although']);

/**
 * The sentences of a message, cut once more before "but", "though" and "although": read one by one
 * they show two feelings that a reading of the whole averages away (`mixtureOf`). English; without
 * words there are none. Linear in the length of the text.
 */
export function partsOf(text: string): Part[] {
  const starts = wordsOf(text)
    .filter(({ form, gap }) => gap === 'sentence' || CONTRASTS.has(form))
    .map(({ start }) => start);
  return starts.map((start, index) => {
    const said = text.slice(start, starts[index + 1] ?? text.length);
    return { start, end: start + said.trimEnd().length };
  });
}
