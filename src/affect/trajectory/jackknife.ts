/** Evidence that no single turn carries alone. */

/**
 * The least that is left of a change, in its direction, after leaving out any one element.
 *
 * @param items at least two.
 * @param measure the signed change that some of the items show.
 * @returns ≥ 0; 0 when the direction turns without one of them, or when there is no change.
 */
export function leastWithoutOne<T>(
  items: readonly T[],
  measure: (items: readonly T[]) => number,
): number {
  const direction = Math.sign(measure(items));
  const rest = items.map((_, index) => direction * measure(items.toSpliced(index, 1)));
  return Math.max(0, Math.min(...rest));
}
