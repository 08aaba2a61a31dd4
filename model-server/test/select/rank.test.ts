import { describe, expect, it } from 'vitest';
import { rank } from '../../src/select/rank.ts';

const score = (logprob: number, prior: number, judge: number | null = 0, tokens = 5) => ({
  tokens,
  logprob,
  prior,
  judge,
});
const PMI_ONLY = { pmi: 1, pmiPerToken: 0, judge: 0 };
const order = (...args: Parameters<typeof rank>) => rank(...args).map(({ index }) => index);

describe('ranking', () => {
  it('asks how much likelier the context makes a reply, not how likely it is', () => {
    const frequent = score(-8, -7);
    const fitting = score(-30, -45);
    expect(order([frequent, fitting], PMI_ONLY)).toEqual([1, 0]);
    expect(rank([fitting], PMI_ONLY)[0]).toMatchObject({ pmi: 15, score: 15 });
  });

  it('weighs PMI, PMI per token and the judge as asked', () => {
    const scores = [score(-10, -20, 1, 10), score(-10, -16, 9, 2)];
    expect(order(scores, PMI_ONLY)).toEqual([0, 1]);
    expect(order(scores, { pmi: 0, pmiPerToken: 1, judge: 0 })).toEqual([1, 0]);
    expect(order(scores, { pmi: 1, pmiPerToken: 0, judge: 1 })).toEqual([1, 0]);
    expect(order(scores, { pmi: -1, pmiPerToken: 0, judge: 0 })).toEqual([1, 0]);
  });

  it('takes a judge without an opinion as indifferent', () => {
    const weights = { pmi: 1, pmiPerToken: 0, judge: 1 };
    expect(
      order([score(-10, -12, -1), score(-10, -12, null), score(-10, -12, 1)], weights),
    ).toEqual([2, 1, 0]);
  });

  it('leaves equal candidates in their order', () => {
    const scores = Array.from({ length: 50 }, (_, index) => score(index % 2 === 0 ? -5 : -9, -9));
    const evens = scores.flatMap((_, index) => (index % 2 === 0 ? [index] : []));
    const odds = scores.flatMap((_, index) => (index % 2 === 1 ? [index] : []));
    expect(order(scores, PMI_ONLY)).toEqual([...evens, ...odds]);
  });
});
