/** Candidates in the order of how well they answer a context. */
import type { RankWeights } from './constants.ts';
import type { CandidateScore } from './score-candidates.ts';

/** One candidate with its place in the request. */
export interface RankedCandidate extends CandidateScore {
  readonly index: number;
  /** Weighted sum; the higher, the better. */
  readonly score: number;
  /** log P(reply | context) - log P(reply | empty context), in nats. */
  readonly pmi: number;
}

/** Pointwise mutual information of a reply and its context, in nats. */
export function pmiOf(score: CandidateScore): number {
  return score.logprob - score.prior;
}

/** The part of a score that the model's likelihoods and its judge give. */
export function likelihoodScore(score: CandidateScore, weights: RankWeights): number {
  const pmi = pmiOf(score);
  return (
    weights.pmi * pmi +
    weights.pmiPerToken * (pmi / Math.max(score.tokens, 1)) +
    // No mass at the judge is no opinion.
    weights.judge * (score.judge ?? 0)
  );
}

/** Rank candidates, best first; equal ones stay in their order. */
export function rank(
  scores: readonly CandidateScore[],
  weights: RankWeights,
): readonly RankedCandidate[] {
  return scores
    .map((score, index) => ({
      index,
      score: likelihoodScore(score, weights),
      pmi: pmiOf(score),
      tokens: score.tokens,
      logprob: score.logprob,
      prior: score.prior,
      judge: score.judge,
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}
