import { describe, expect, it } from 'vitest';
import { FOLDS, foldOf, isHeldOut } from '../../../eval/folds.ts';

const WRITERS = Array.from({ length: 400 }, (_, index) => `R_writer${index}`);

describe('the folds of empathic reactions', () => {
  it('depend on the writer alone, so that nobody is on both sides', () => {
    expect(WRITERS.map(foldOf)).toEqual(WRITERS.map(foldOf));
    // sha256 of these begins with the bytes 0x99 = 153 and 0x68 = 104.
    expect(foldOf('writer-a')).toBe(3);
    expect(foldOf('writer-b')).toBe(4);
  });

  it('are five of about the same size, the first of which is held out', () => {
    const sizes = Array.from(
      { length: FOLDS },
      (_, fold) => WRITERS.filter((writer) => foldOf(writer) === fold).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(WRITERS.length);
    for (const size of sizes) expect(size).toBeGreaterThan(WRITERS.length / FOLDS / 2);
    expect(WRITERS.filter(isHeldOut)).toEqual(WRITERS.filter((writer) => foldOf(writer) === 0));
  });
});
