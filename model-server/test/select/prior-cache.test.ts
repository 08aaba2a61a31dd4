import { describe, expect, it } from 'vitest';
import { PriorCache } from '../../src/select/prior-cache.ts';

describe('the cache of priors', () => {
  it('knows a prior by persona and text together', () => {
    const cache = new PriorCache(8);
    cache.set('ab', 'c', -3);
    expect(cache.get('ab', 'c')).toBe(-3);
    expect(cache.get('a', 'bc')).toBeUndefined();
    expect(cache.get('', 'abc')).toBeUndefined();
  });

  it('forgets the least recently used one and never grows beyond its limit', () => {
    const cache = new PriorCache(2);
    cache.set('p', 'a', 1);
    cache.set('p', 'b', 2);
    cache.get('p', 'a');
    cache.set('p', 'c', 3);
    expect([cache.get('p', 'a'), cache.get('p', 'b'), cache.get('p', 'c')]).toEqual([
      1,
      undefined,
      3,
    ]);
    for (let index = 0; index < 2_500; index++) cache.set('p', `text ${index}`, index);
    expect(cache.size).toBe(2);
  });
});
