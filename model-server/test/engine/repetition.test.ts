import { describe, expect, it } from 'vitest';
import { RepetitionGuard } from '../../src/engine/repetition.ts';

const blockedAfter = (guard: RepetitionGuard<number>, tokens: number[]) => {
  for (const token of tokens) guard.push(token);
  return guard.blocked();
};

describe('the repetition guard', () => {
  it('blocks the token that would complete a run of an earlier reply', () => {
    expect(blockedAfter(new RepetitionGuard([[1, 2, 3, 4]], 3), [9, 1, 2])).toEqual([3]);
  });

  it('blocks a run of this reply, too', () => {
    expect(blockedAfter(new RepetitionGuard<number>([], 3), [1, 2, 3, 7, 1, 2])).toEqual([3]);
  });

  it('blocks all continuations of the same beginning', () => {
    const guard = new RepetitionGuard(
      [
        [1, 2, 3],
        [1, 2, 4],
      ],
      3,
    );
    expect(blockedAfter(guard, [1, 2])).toEqual([3, 4]);
  });

  it('blocks the last token of a short reply that would be said again as a whole', () => {
    expect(blockedAfter(new RepetitionGuard([[1, 2]], 4), [1])).toEqual([2]);
    expect(new RepetitionGuard([[7]], 4).blocked()).toEqual([7]);
    expect(blockedAfter(new RepetitionGuard([[1, 2]], 4), [3, 1])).toEqual([]);
  });

  it('leaves shorter runs and new text alone', () => {
    expect(blockedAfter(new RepetitionGuard([[1, 2, 3]], 3), [1])).toEqual([]);
    expect(blockedAfter(new RepetitionGuard([[1, 2, 3]], 3), [2, 1])).toEqual([]);
  });
});
