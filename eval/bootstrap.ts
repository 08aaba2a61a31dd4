/** Intervals for examples that come in conversations. Pure and seeded. */

/** One answer that was right (1) or wrong (0), and the conversation it belongs to. */
export interface Outcome {
  readonly cluster: string;
  /** A share where the answer was right in part (ties of a ranking), or any number to be averaged. */
  readonly hit: number;
}

/** Interval [low, high] of 95 %. */
export type Interval = readonly [low: number, high: number];

export interface Resampling {
  readonly resamples?: number;
  readonly seed?: number;
}

/** Enough for two stable decimals of a percentile interval (Efron & Tibshirani 1993, §14.2). */
const RESAMPLES = 1_000;
const SEED = 20_261_130;

/** 97.5 % of a normal distribution lie below so many deviations. */
const NORMAL_975 = 1.959964;

/**
 * 95 % percentile interval of the mean hit. Whole conversations are drawn with replacement, because
 * turns of one conversation share their label and most of their words: drawing turns would pretend
 * that there are more independent answers than there are.
 *
 * @returns `null` without outcomes; the same interval at every call for the same outcomes.
 */
export function interval95(outcomes: readonly Outcome[], options?: Resampling): Interval | null {
  const clusters = clustersOf(outcomes, ({ cluster }) => cluster).map((members) => ({
    hits: members.reduce((sum, { hit }) => sum + hit, 0),
    n: members.length,
  }));
  return resampled95(
    clusters,
    (drawn) => {
      let hits = 0;
      let n = 0;
      for (const cluster of drawn) {
        hits += cluster.hits;
        n += cluster.n;
      }
      return hits / n;
    },
    options,
  );
}

/**
 * 95 % percentile interval of any statistic of clusters, which are drawn with replacement.
 * @param clusters sums of one conversation each, whatever the statistic is made of
 * @returns `null` without clusters; the same interval at every call for the same clusters
 */
export function resampled95<T>(
  clusters: readonly T[],
  statistic: (drawn: readonly T[]) => number,
  { resamples = RESAMPLES, seed = SEED }: Resampling = {},
): Interval | null {
  if (clusters.length === 0) return null;
  const random = mulberry32(seed);
  const values = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    const drawn: T[] = [];
    for (let draw = 0; draw < clusters.length; draw++) {
      const cluster = clusters[Math.floor(random() * clusters.length)];
      if (cluster !== undefined) drawn.push(cluster);
    }
    values[resample] = statistic(drawn);
  }
  values.sort();
  const at = (share: number) => values[Math.round(share * (resamples - 1))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

/**
 * 95 % normal interval by the jackknife (Efron & Tibshirani 1993, §11.5), for a statistic that
 * drawing with replacement falsifies: a sample that holds a conversation twice has fewer distinct
 * words than any real one.
 * @param all the statistic of everything
 * @param without the statistic of everything but one cluster, for each cluster
 * @returns `null` for fewer than two clusters
 */
export function jackknife95(all: number, without: readonly number[]): Interval | null {
  const n = without.length;
  if (n < 2) return null;
  const mean = without.reduce((sum, value) => sum + value, 0) / n;
  const spread = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = NORMAL_975 * Math.sqrt(((n - 1) / n) * spread);
  return [all - half, all + half];
}

/** The members of each cluster, in the order of their first appearance. */
export function clustersOf<T>(members: readonly T[], clusterOf: (member: T) => string): T[][] {
  const clusters = new Map<string, T[]>();
  for (const member of members) {
    const cluster = clusterOf(member);
    const known = clusters.get(cluster);
    if (known === undefined) clusters.set(cluster, [member]);
    else known.push(member);
  }
  return [...clusters.values()];
}

/**
 * A small generator with a known sequence, so that an interval can be computed again anywhere.
 * mulberry32 by Tommy Ettinger (public domain). Values in [0, 1).
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The same items in an order of chance (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [left, right] = [order[last], order[other]];
    if (left === undefined || right === undefined) continue;
    order[last] = right;
    order[other] = left;
  }
  return order;
}
