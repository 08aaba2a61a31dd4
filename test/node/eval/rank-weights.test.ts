import { describe, expect, it } from 'vitest';
import type { CandidateAnswer } from '../../../eval/rank.ts';
import { type Answered, grid, rowOf } from '../../../eval/rank-weights.ts';

function answer(index: number, pmi: number, judge: number, tokens = 10): CandidateAnswer {
  return { index, score: 0, pmi, judge, tokens };
}

/** The judge is right, PMI prefers the long wrong one. */
const judged: Answered = {
  question: { truth: 0, distractor: 1 },
  answers: [answer(0, 4, 2), answer(1, 6, -2), answer(2, 1, 1)],
};

describe('weights of a ranking', () => {
  it('decide which candidate is first', () => {
    expect(rowOf([judged], { perToken: 0, judge: 0 })).toMatchObject({ p_at_1: 0, pairwise: 0 });
    expect(rowOf([judged], { perToken: 0, judge: 1 })).toMatchObject({ p_at_1: 1, pairwise: 1 });
  });

  it('per token favour what gains more for its length', () => {
    const short: Answered = {
      question: { truth: 0, distractor: 1 },
      answers: [answer(0, 5, 0, 2), answer(1, 6, 0, 30)],
    };
    expect(rowOf([short], { perToken: 0, judge: 0 }).pairwise).toBe(0);
    expect(rowOf([short], { perToken: 5, judge: 0 }).pairwise).toBe(1);
  });

  it('count a tie as its expected value', () => {
    const tied: Answered = {
      question: { truth: 0, distractor: 1 },
      answers: [answer(0, 1, 0), answer(1, 1, 0)],
    };
    expect(rowOf([tied], { perToken: 0, judge: 0 })).toMatchObject({ p_at_1: 0.5, pairwise: 0.5 });
  });

  it('are listed best first', () => {
    const rows = grid([judged]);
    expect(rows[0]?.p_at_1).toBe(1);
    expect(rows.at(-1)?.p_at_1).toBe(0);
    expect(rows.map(({ p_at_1 }) => p_at_1)).toEqual(
      rows.map(({ p_at_1 }) => p_at_1).sort((a, b) => b - a),
    );
  });
});
