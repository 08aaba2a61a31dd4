/** Seeded generators for property tests: a failing round is the same one on the next run. */

/** Uniform numbers in [0, 1): mulberry32, 32 bits of state. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A distribution over `length` outcomes, from even to nearly certain. */
export function randomShares(random: () => number, length: number): number[] {
  const sharpness = 1 + random() * 12;
  const weights = Array.from({ length }, () => random() ** sharpness + 1e-9);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
