import { describe, expect, it } from 'vitest';
import { COLLECT_AFTER_USES, COLLECT_AT_LATEST } from '../../src/constants.ts';
import { NativeMemory } from '../../src/engine/native-memory.ts';

const collections = (uses: number, idle: boolean) => {
  let count = 0;
  const memory = new NativeMemory(() => count++);
  for (let use = 0; use < uses; use++) memory.used(idle);
  return count;
};

describe('native memory', () => {
  it('is collected in a quiet moment after some uses', () => {
    expect(collections(COLLECT_AFTER_USES - 1, true)).toBe(0);
    expect(collections(2 * COLLECT_AFTER_USES, true)).toBe(2);
  });

  it('waits for a quiet moment, but not for ever', () => {
    expect(collections(COLLECT_AFTER_USES, false)).toBe(0);
    expect(collections(COLLECT_AT_LATEST, false)).toBe(1);
  });
});
