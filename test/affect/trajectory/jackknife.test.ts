import { describe, expect, it } from 'vitest';
import { leastWithoutOne } from '../../../src/affect/trajectory/jackknife.ts';

const sum = (items: readonly number[]) => items.reduce((total, item) => total + item, 0);

describe('leastWithoutOne', () => {
  it('is what is left without the element that speaks most for the change', () => {
    expect(leastWithoutOne([3, 1, 2], sum)).toBe(3);
    expect(leastWithoutOne([-3, -1, -2], sum)).toBe(3);
  });

  it('is 0 where one element carries the change alone', () => {
    expect(leastWithoutOne([5, 0, 0], sum)).toBe(0);
    expect(leastWithoutOne([5, -1, -1], sum)).toBe(0);
    expect(leastWithoutOne([0, 0], sum)).toBe(0);
  });
});
