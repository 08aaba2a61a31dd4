import { describe, expect, it } from 'vitest';
import { flat } from '../../../eval/print.ts';

describe('figures for people', () => {
  it('are one row each, nested ones by their path, of four decimals', () => {
    expect(
      flat({ n: 3, top1: 2 / 3, none: null, ci95: { top1: [0.123456, 1] }, failures: ['a', 'b'] }),
    ).toEqual({ n: 3, top1: 0.6667, none: null, 'ci95.top1': '0.1235 1', failures: 'a b' });
  });
});
