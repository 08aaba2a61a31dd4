/**
 * Exponential smoothing that ignores missing readings and forgets over gaps.
 *
 * Each value is a weighted mean of the readings so far; the weight of a reading falls with the turns
 * and the time since. Dividing by the sum of the weights keeps the first readings unbiased (as in
 * Adam, Kingma & Ba 2015, section 3) and handles irregular times.
 */
import { FORGOTTEN, HALF_LIFE_TURNS, MEMORY_MS } from './constants.ts';
import type { TurnReading } from './types.ts';

/**
 * How much of what was known is kept from one reading to the next, in [0, 1].
 *
 * Turns that go backwards and clocks that do count as no step; a time is used only where both
 * readings have one.
 */
export function retention(
  before: Pick<TurnReading, 'turn' | 'at'> | undefined,
  after: Pick<TurnReading, 'turn' | 'at'>,
): number {
  if (before === undefined) return 0;
  const turns = step(before.turn, after.turn);
  const ms = step(before.at, after.at);
  return 0.5 ** (turns / HALF_LIFE_TURNS) * Math.exp(-ms / MEMORY_MS);
}

/**
 * The turns that still weigh in the present: those that the last one has not forgotten.
 *
 * @param turns in order.
 * @param kept one per turn: `retention` since the turn before; the first is not used.
 */
export function remembered<Turn>(turns: readonly Turn[], kept: readonly number[]): Turn[] {
  let weight = 1;
  const weights = turns.map((_, index) => {
    const own = weight;
    weight *= kept[turns.length - 1 - index] ?? 0;
    return own;
  });
  return turns.filter((_, index) => (weights[turns.length - 1 - index] ?? 0) >= FORGOTTEN);
}

function step(from: number | undefined, to: number | undefined): number {
  if (from === undefined || to === undefined) return 0;
  const distance = to - from;
  return Number.isFinite(distance) ? Math.max(0, distance) : 0;
}

/**
 * Smooths a series.
 *
 * @param values one per turn; `null` or a number that is not finite is a missing reading.
 * @param kept one per turn: `retention` since the turn before; the first is not used.
 * @returns one per turn, within the range of the readings; `null` before the first reading and once
 *   all readings are forgotten.
 */
export function smooth(
  values: readonly (number | null)[],
  kept: readonly number[],
): (number | null)[] {
  let sum = 0;
  let weight = 0;
  return values.map((value, index) => {
    const keep = kept[index] ?? 0;
    sum *= keep;
    weight *= keep;
    if (weight < FORGOTTEN) {
      sum = 0;
      weight = 0;
    }
    if (value !== null && Number.isFinite(value)) {
      sum += value;
      weight += 1;
    }
    return weight > 0 ? sum / weight : null;
  });
}

/**
 * Smooths rows of shares, each share as a series of its own; rows stay distributions.
 *
 * @param rows one per turn, all of one length; `null` is a missing reading.
 */
export function smoothRows(
  rows: readonly (readonly number[] | null)[],
  kept: readonly number[],
): (number[] | null)[] {
  const width = rows.find((row) => row !== null)?.length ?? 0;
  const columns = Array.from({ length: width }, (_, column) =>
    smooth(
      rows.map((row) => row?.[column] ?? null),
      kept,
    ),
  );
  return rows.map((_, index) => {
    const row = columns.map((column) => column[index] ?? null);
    const known = row.filter((share) => share !== null);
    return width > 0 && known.length === width ? known : null;
  });
}
