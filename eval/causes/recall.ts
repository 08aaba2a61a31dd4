/**
 * Recall of cause words at k, as a share of what a perfect ranker can have. Pure.
 *
 * Protocol (after Kim et al. 2021, "Perspective-taking and Pragmatics for Generating Empathetic
 * Responses Focused on Emotion Causes"): an utterance's content words are candidates, those inside a
 * gold span are wanted; recall@k = wanted among the first k / wanted, mean over utterances. A perfect
 * ranker has min(k, wanted) / wanted, which is under 1 for k under `wanted`.
 */
import { mean } from '../metrics.ts';

/** UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface CauseQuestion {
  /** Content words of the utterance, in their order. */
  readonly words: readonly Span[];
  /** Indices into `words`: those that overlap a gold span. */
  readonly wanted: ReadonlySet<number>;
}

/** Indices into `words`, best first; −1 for a guess that is no content word of the utterance. */
export type Ranking = readonly number[];

/** Content words and which of them are wanted. */
export function questionOf(words: readonly Span[], gold: readonly Span[]): CauseQuestion {
  const wanted = words.flatMap((word, index) =>
    gold.some((span) => overlap(word, span)) ? [index] : [],
  );
  return { words, wanted: new Set(wanted) };
}

/** Guessed spans as a ranking of words; each word counts for the first guess that touches it. */
export function rankingOf(guesses: readonly Span[], words: readonly Span[]): Ranking {
  const taken = new Set<number>();
  return guesses.map((guess) => {
    const index = words.findIndex((word, at) => !taken.has(at) && overlap(guess, word));
    if (index >= 0) taken.add(index);
    return index;
  });
}

function overlap(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

/** Share of the wanted words among the first k of a ranking. */
export function recallAt(k: number, ranking: Ranking, { wanted }: CauseQuestion): number {
  return ranking.slice(0, k).filter((index) => wanted.has(index)).length / wanted.size;
}

/** What a perfect ranker has. */
export function oracleAt(k: number, { wanted }: CauseQuestion): number {
  return Math.min(k, wanted.size) / wanted.size;
}

/** What a random order of the words has: the exact expectation. */
export function randomAt(k: number, { words }: CauseQuestion): number {
  return Math.min(k, words.length) / words.length;
}

/** A figure at the ranks 1, 3 and 5. */
export type AtRanks = Readonly<Record<'at1' | 'at3' | 'at5', number>>;

export interface RecallFigures {
  readonly recall: AtRanks;
  /** Share of the perfect ranker's recall. */
  readonly of_oracle: AtRanks;
}

/** Mean recall and its share of the oracle's mean, at each rank. */
export function causeFigures(
  questions: readonly CauseQuestion[],
  recall: (k: number, question: CauseQuestion, index: number) => number,
): RecallFigures {
  const at = (k: number) => mean(questions.map((question, i) => recall(k, question, i)));
  const share = (k: number) => {
    const best = mean(questions.map((question) => oracleAt(k, question)));
    return best === 0 ? 0 : at(k) / best;
  };
  return {
    recall: { at1: at(1), at3: at(3), at5: at(5) },
    of_oracle: { at1: share(1), at3: share(3), at5: share(5) },
  };
}
