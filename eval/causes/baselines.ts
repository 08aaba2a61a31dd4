/** Rankings of an utterance's words by someone who knows nothing of emotions. Pure. */

import { contentWords } from './content-words.ts';
import type { Ranking, Span } from './recall.ts';
import type { Said } from './reccon.ts';

/** The words as they stand. */
export function firstWords(words: readonly Span[]): Ranking {
  return words.map((_, index) => index);
}

/** Ranks the content words of one utterance. */
export type RankWords = (utterance: Said, words: readonly Span[]) => Ranking;

/**
 * By term frequency in the utterance times inverse document frequency, ln((1 + N) / (1 + df)) + 1;
 * documents are the utterances of the file's *other* dialogues, so that a dialogue's own words are
 * not made frequent by itself. Equal ones in the order of the text.
 */
export function tfIdf(said: readonly Said[]): RankWords {
  const everywhere = new Map<string, number>();
  const within = new Map<string, { documents: number; words: Map<string, number> }>();
  for (const { dialogue, text } of said) {
    const own = within.get(dialogue) ?? { documents: 0, words: new Map() };
    own.documents += 1;
    for (const word of new Set(contentWords(text).map((span) => wordAt(text, span)))) {
      everywhere.set(word, (everywhere.get(word) ?? 0) + 1);
      own.words.set(word, (own.words.get(word) ?? 0) + 1);
    }
    within.set(dialogue, own);
  }

  return function rankByTfIdf({ dialogue, text }, words) {
    const own = within.get(dialogue);
    const documents = said.length - (own?.documents ?? 0);
    const names = words.map((span) => wordAt(text, span));
    const weights = names.map((name) => {
      const frequency = names.filter((other) => other === name).length;
      const containing = (everywhere.get(name) ?? 0) - (own?.words.get(name) ?? 0);
      return frequency * (Math.log((1 + documents) / (1 + containing)) + 1);
    });
    return firstWords(words).toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  };
}

function wordAt(text: string, { start, end }: Span): string {
  return text.slice(start, end).toLowerCase();
}
