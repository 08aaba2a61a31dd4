/** Agreement of predicted numbers with people's. Pure functions. */
import { mean } from './metrics.ts';

/**
 * Pearson's r of paired values, in [−1, 1].
 * @returns `null` where it is not defined: under two pairs, or one side constant
 */
export function pearson(pairs: readonly (readonly [x: number, y: number])[]): number | null {
  // Not by a spread of 0: the mean of equal numbers may be another one in its last bit.
  const [first] = pairs;
  if (first === undefined) return null;
  if (pairs.every(([x]) => x === first[0]) || pairs.every(([, y]) => y === first[1])) return null;
  const centreX = mean(pairs.map(([x]) => x));
  const centreY = mean(pairs.map(([, y]) => y));
  let covariance = 0;
  let spreadX = 0;
  let spreadY = 0;
  for (const [x, y] of pairs) {
    covariance += (x - centreX) * (y - centreY);
    spreadX += (x - centreX) ** 2;
    spreadY += (y - centreY) ** 2;
  }
  const spread = Math.sqrt(spreadX * spreadY);
  return spread === 0 ? null : covariance / spread;
}

/**
 * Area under the ROC curve: the chance that a positive one scores above a negative one, ties counting
 * half (Mann–Whitney U over all pairs, by mid-ranks).
 * @returns `null` when one of the two kinds is missing
 */
export function areaUnderRoc(
  scored: readonly { readonly score: number; readonly positive: boolean }[],
): number | null {
  const positives = scored.filter(({ positive }) => positive).length;
  const negatives = scored.length - positives;
  if (positives === 0 || negatives === 0) return null;
  const sorted = scored.toSorted((left, right) => left.score - right.score);
  let rankSum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) end += 1;
    // Ranks start+1 … end share their mean.
    const midRank = (start + 1 + end) / 2;
    rankSum += midRank * sorted.slice(start, end).filter(({ positive }) => positive).length;
    start = end;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}
