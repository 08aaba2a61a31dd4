/** From next-token distributions at slots to head readings. */
import { LOG_ZERO } from '../constants.ts';
import type { Ranked } from './types.ts';

/** A head: ranked labels and the share of the distribution they hold together. */
export interface Head<L extends string> {
  readonly ranked: readonly Ranked<L>[];
  readonly mass: number;
}

/**
 * Restrict a next-token distribution to the tokens of a head.
 * @param distribution token -> probability over the whole vocabulary
 * @param tokens label -> token
 * @returns labels by falling probability, renormalised (uniform when the head has no mass at all)
 */
export function readHead<L extends string, T>(
  distribution: ReadonlyMap<T, number>,
  tokens: ReadonlyMap<L, T>,
): Head<L> {
  const raw = [...tokens].map(([label, token]) => ({
    label,
    weight: distribution.get(token) ?? 0,
  }));
  const mass = raw.reduce((sum, { weight }) => sum + weight, 0);
  const ranked = raw
    .map(({ label, weight }) => ({ label, probability: mass > 0 ? weight / mass : 1 / raw.length }))
    .sort((a, b) => b.probability - a.probability);
  return { ranked, mass };
}

/**
 * Response prediction: P(good) / (P(good) + P(bad)), or null when neither has any mass.
 * @param distribution token -> probability at `<|judge|>`
 */
export function readJudge<T>(
  distribution: ReadonlyMap<T, number>,
  tokens: { readonly good: T; readonly bad: T },
): number | null {
  const good = distribution.get(tokens.good) ?? 0;
  const bad = distribution.get(tokens.bad) ?? 0;
  return good + bad > 0 ? good / (good + bad) : null;
}

/**
 * Response prediction as log odds: ln P(good) - ln P(bad), or null when neither has any mass.
 * @param distribution token -> probability at `<|judge|>`
 */
export function judgeLogOdds<T>(
  distribution: ReadonlyMap<T, number>,
  tokens: { readonly good: T; readonly bad: T },
): number | null {
  const log = (token: T) => Math.max(Math.log(distribution.get(token) ?? 0), LOG_ZERO);
  const [good, bad] = [log(tokens.good), log(tokens.bad)];
  return good === LOG_ZERO && bad === LOG_ZERO ? null : good - bad;
}
