/** Bootstrap intervals of a share, for examples that come in conversations. Pure and seeded. */

/** One answer that was right (1) or wrong (0), and the conversation it belongs to. */
export interface Outcome {
  readonly cluster: string;
  readonly hit: number;
}

/** Percentile interval [low, high] of 95 %. */
export type Interval = readonly [low: number, high: number];

/** Enough for two stable decimals of a percentile interval (Efron & Tibshirani 1993, §14.2). */
const RESAMPLES = 1_000;
const SEED = 20_261_130;

/**
 * 95 % percentile interval of the mean hit. Whole conversations are drawn with replacement, because
 * turns of one conversation share their label and most of their words: drawing turns would pretend
 * that there are more independent answers than there are.
 *
 * @returns `null` without outcomes; the same interval at every call for the same outcomes.
 */
export function interval95(
  outcomes: readonly Outcome[],
  { resamples = RESAMPLES, seed = SEED }: { resamples?: number; seed?: number } = {},
): Interval | null {
  const clusters = totals(outcomes);
  if (clusters.length === 0) return null;
  const random = mulberry32(seed);
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let hits = 0;
    let n = 0;
    for (let draw = 0; draw < clusters.length; draw++) {
      const drawn = clusters[Math.floor(random() * clusters.length)];
      hits += drawn?.hits ?? 0;
      n += drawn?.n ?? 0;
    }
    means[resample] = hits / n;
  }
  means.sort();
  const at = (share: number) => means[Math.round(share * (resamples - 1))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

function totals(outcomes: readonly Outcome[]): { hits: number; n: number }[] {
  const clusters = new Map<string, { hits: number; n: number }>();
  for (const { cluster, hit } of outcomes) {
    const sum = clusters.get(cluster) ?? { hits: 0, n: 0 };
    sum.hits += hit;
    sum.n += 1;
    clusters.set(cluster, sum);
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
