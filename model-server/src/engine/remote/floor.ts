/**
 * What can be said of tokens beyond the likeliest ones that a server lists: none is more probable
 * than the smallest listed probability. That stands for them where a 0 would be a verdict (the log
 * odds of the judge, a bias on an intent); probabilities that are told keep their 0.
 */
import type { Ranked } from '../../heads/types.ts';

/**
 * The two tokens of the judge, an unlisted one at the floor. Their log odds are then no larger than
 * the true ones.
 * @param distribution token → probability at `<|judge|>`, for the likeliest tokens
 * @returns empty when neither is listed: nothing is known of them
 */
export function judgeDistribution(
  distribution: ReadonlyMap<number, number>,
  { good, bad }: { readonly good: number; readonly bad: number },
): ReadonlyMap<number, number> {
  if (!distribution.has(good) && !distribution.has(bad)) return new Map();
  const floor = smallest(distribution);
  return new Map([good, bad].map((token) => [token, distribution.get(token) ?? floor]));
}

/**
 * Labels with the floor in place of 0, in the order they had.
 * @param ranked labels of a head, renormalised to `mass`
 * @param distribution what the head was read from
 */
export function withFloor<L extends string>(
  { ranked, mass }: { readonly ranked: readonly Ranked<L>[]; readonly mass: number },
  distribution: ReadonlyMap<number, number>,
): readonly Ranked<L>[] {
  const floor = smallest(distribution) / mass;
  return ranked.map(({ label, probability }) => ({
    label,
    probability: probability > 0 ? probability : floor,
  }));
}

function smallest(distribution: ReadonlyMap<number, number>): number {
  return Math.min(...distribution.values());
}
