/** From the scores of candidates to the figures of `eval -- rank`. Pure. */
import { type Interval, interval95 } from './bootstrap.ts';
import { least, mean } from './metrics.ts';

/** What candidates are ordered by: the service's own score, and each of its parts alone. */
export const ORDERS = ['score', 'pmi', 'judge', 'logprob'] as const;
export type Order = (typeof ORDERS)[number];

/** A question with its candidates' scores, in the order of the candidates. */
export interface Ranked {
  readonly conv_id: string;
  readonly truth: number;
  readonly distractor: number;
  /** `null` where the server has no such part. */
  readonly scores: Readonly<Record<Order, readonly number[] | null>>;
  /**
   * Share of the full next-token distribution that good and bad have together at the judge slot, of
   * each candidate that the server gives it for; empty where it gives none.
   */
  readonly judgeMass: readonly number[];
}

/** `null` where the server has no such part, or nothing was asked. */
export interface OrderFigures {
  /** Questions counted: those whose every candidate has this part. */
  readonly n: number;
  readonly pairwise: number | null;
  readonly p_at_1: number | null;
  readonly p_at_3: number | null;
  readonly p_at_10: number | null;
  readonly ci95: {
    readonly pairwise: Interval | null;
    readonly p_at_1: Interval | null;
    readonly p_at_3: Interval | null;
    readonly p_at_10: Interval | null;
  };
}

/** Head mass of the judge slot; mean and least are `null` where the server gives none. */
export interface JudgeMassFigures {
  /** Candidates counted. */
  readonly n_judge_mass: number;
  readonly judge_mass_mean: number | null;
  readonly judge_mass_min: number | null;
}

/**
 * Of one order. A tie is worth what breaking it at random would give on average: half a pairwise hit,
 * and of `t` candidates that share the truth's place those `k` that fit into the first ones, k / t.
 */
export function orderFigures(ranked: readonly Ranked[], order: Order): OrderFigures {
  const rows = ranked.flatMap(({ conv_id, truth, distractor, scores }) => {
    const values = scores[order];
    return values === null ? [] : [{ cluster: conv_id, values, truth, distractor }];
  });
  const share = (hitOf: (row: (typeof rows)[number]) => number) => {
    const outcomes = rows.map((row) => ({ cluster: row.cluster, hit: hitOf(row) }));
    const value = outcomes.length === 0 ? null : mean(outcomes.map(({ hit }) => hit));
    return { value, ci95: interval95(outcomes) };
  };
  const pairwise = share(({ values, truth, distractor }) =>
    within([values[truth] ?? Number.NaN, values[distractor] ?? Number.NaN], 0, 1),
  );
  const at = (k: number) => share(({ values, truth }) => within(values, truth, k));
  const [first, third, tenth] = [at(1), at(3), at(10)];
  return {
    n: rows.length,
    pairwise: pairwise.value,
    p_at_1: first.value,
    p_at_3: third.value,
    p_at_10: tenth.value,
    ci95: {
      pairwise: pairwise.ci95,
      p_at_1: first.ci95,
      p_at_3: third.ci95,
      p_at_10: tenth.ci95,
    },
  };
}

/** Over all candidates of all questions. */
export function judgeMassFigures(ranked: readonly Pick<Ranked, 'judgeMass'>[]): JudgeMassFigures {
  const masses = ranked.flatMap(({ judgeMass }) => judgeMass);
  const none = masses.length === 0;
  return {
    n_judge_mass: masses.length,
    judge_mass_mean: none ? null : mean(masses),
    judge_mass_min: none ? null : least(masses),
  };
}

/** Probability that the truth is among the first `k`, ties broken at random. */
export function within(values: readonly number[], truth: number, k: number): number {
  const own = values[truth] ?? Number.NaN;
  const before = values.filter((value) => value > own).length;
  const tied = values.filter((value) => value === own).length;
  return tied === 0 ? 0 : Math.min(Math.max((k - before) / tied, 0), 1);
}
