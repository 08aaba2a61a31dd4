/** Distances between distributions. */
import type { FamilyShares } from './types.ts';

/** Shannon entropy in bits; 0 · log 0 is 0. */
export function entropyBits(shares: FamilyShares): number {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * Math.log2(share) : sum), 0);
}

/** Entropy as a share of that of the uniform distribution of the same length, in [0, 1]. */
export function evenness(shares: FamilyShares): number {
  if (shares.length < 2) return 0;
  return unit(entropyBits(shares) / Math.log2(shares.length));
}

/**
 * Jensen–Shannon divergence in bits (Lin 1991, "Divergence measures based on the Shannon entropy"):
 * symmetric, 0 for equal distributions, 1 for disjoint ones.
 *
 * @param left, right distributions of the same length.
 */
export function jensenShannon(left: FamilyShares, right: FamilyShares): number {
  const middle = left.map((share, index) => (share + (right[index] ?? 0)) / 2);
  return unit(entropyBits(middle) - (entropyBits(left) + entropyBits(right)) / 2);
}

/** Rounding can put a sum of logarithms a little outside. */
function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** The mean of several distributions; empty when there are none. */
export function meanShares(rows: readonly FamilyShares[]): number[] {
  return (rows[0] ?? []).map(
    (_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0) / rows.length,
  );
}
