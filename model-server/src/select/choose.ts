/** Which of several replies is given: a pure function over what can be said of each. */
import {
  CHOICE_WEIGHTS,
  type ChoiceWeights,
  GENERIC_PMI_PER_TOKEN,
  TARGET_WORDS,
} from './constants.ts';
import { likelihoodScore, pmiOf } from './rank.ts';
import type { CandidateScore } from './score-candidates.ts';
import { stemsOf, wordsOf } from './words.ts';

/** One candidate. */
export interface Candidate {
  readonly text: string;
  /** The model's own view; null where the engine cannot score, or the text is empty. */
  readonly score: CandidateScore | null;
  /** Whether the reply came to its end. */
  readonly complete: boolean;
}

/** What the candidates answer. */
export interface ChoiceContext {
  /** Words that the reply should take up. */
  readonly focus: readonly string[];
  /** Earlier replies of the conversation. */
  readonly earlier: readonly string[];
}

/** What was said of one candidate. */
export interface Features {
  /** Weighted sum, in nats. */
  readonly score: number;
  readonly pmi: number | null;
  readonly judge: number | null;
  /** Share of the focus words' stems that it has; 0 without focus words. */
  readonly focus: number;
  /** Share of its word pairs that an earlier reply has. */
  readonly overlap: number;
  /** 0: gains from the context; 1: could be said to anyone. */
  readonly generic: number;
  readonly words: number;
}

/** The outcome of a choice. */
export interface Choice {
  /** Index of the best candidate; the first of equal ones. */
  readonly chosen: number;
  /** In the order of the candidates. */
  readonly features: readonly Features[];
}

/**
 * Choose a reply.
 * @param candidates at least one
 */
export function choose(
  candidates: readonly Candidate[],
  context: ChoiceContext,
  weights: ChoiceWeights = CHOICE_WEIGHTS,
): Choice {
  const focus = new Set(context.focus.flatMap(stemsOf));
  const said = new Set(context.earlier.flatMap((text) => pairsOf(wordsOf(text))));
  const scored = candidates.flatMap(({ score }) => (score === null ? [] : worth(score, weights)));
  // What could not be scored is taken for as unlikely and generic as the worst of the others.
  const unscored = scored.length === 0 ? 0 : Math.min(...scored);
  const features = candidates.map((candidate) =>
    describe(candidate, { focus, said, weights, unscored }),
  );
  // A stop string can leave nothing of a reply: it is given only when there is no other.
  const blank = (index: number) => candidates[index]?.text.trim() === '';
  let chosen = 0;
  for (const [index, { score }] of features.entries()) {
    const best = features[chosen]?.score ?? Number.NEGATIVE_INFINITY;
    if (blank(chosen) === blank(index) ? score > best : blank(chosen)) chosen = index;
  }
  return { chosen, features };
}

function describe(
  candidate: Candidate,
  against: {
    readonly focus: ReadonlySet<string>;
    readonly said: ReadonlySet<string>;
    readonly weights: ChoiceWeights;
    /** What likelihoods are taken to say of a candidate without any, in nats. */
    readonly unscored: number;
  },
): Features {
  const { weights } = against;
  const words = wordsOf(candidate.text);
  const stems = new Set(stemsOf(candidate.text));
  const focus = shareOf(against.focus, stems);
  const overlap = shareOf(new Set(pairsOf(words)), against.said);
  const { score } = candidate;
  const pmi = score === null ? null : pmiOf(score);
  const generic = score === null ? 0 : genericness(score);
  return {
    score:
      (score === null ? against.unscored : worth(score, weights)) +
      weights.focus * focus +
      weights.overlap * overlap +
      weights.length * Math.abs(Math.log(Math.max(words.length, 1) / TARGET_WORDS)) +
      (candidate.complete && words.length > 0 ? 0 : weights.cut),
    pmi,
    judge: score?.judge ?? null,
    focus,
    overlap,
    generic,
    words: words.length,
  };
}

/** The part of a score that rests on likelihoods, in nats. */
function worth(score: CandidateScore, weights: ChoiceWeights): number {
  return likelihoodScore(score, weights) + weights.generic * genericness(score);
}

function genericness(score: CandidateScore): number {
  const gain = pmiOf(score) / Math.max(score.tokens, 1);
  return Math.min(1, Math.max(0, 1 - gain / GENERIC_PMI_PER_TOKEN));
}

/** Pairs of neighbouring words; a single word is its own pair, so that "Oh." can be said twice. */
function pairsOf(words: readonly string[]): string[] {
  return words.length < 2 ? [...words] : words.slice(1).map((word, i) => `${words[i]} ${word}`);
}

function shareOf(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  return [...wanted].filter((item) => present.has(item)).length / wanted.size;
}
