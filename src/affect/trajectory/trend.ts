/** Which way the tone has gone over the last turns. */
import { TREND_RISE, TREND_TURNS } from './constants.ts';
import { leastWithoutOne } from './jackknife.ts';
import type { ToneTurn } from './tone.ts';
import type { Shift, Trend } from './types.ts';

/**
 * A shift among the recent turns, else a slope, gives the direction; tones that stay together are
 * steady; anything else, and fewer than three readings, is unclear.
 *
 * @param turns in order, only those that could be read.
 */
export function trendOf(turns: readonly ToneTurn[], shift: Shift | null): Trend {
  const recent = turns.slice(-TREND_TURNS);
  if (recent.length < 3) return 'unclear';
  const shifted = shift !== null && recent.some(({ turn }) => turn === shift.since);
  if (shifted && shift.direction !== 'sideways') return wordFor(shift.size);
  if (recent.length > 3 && leastWithoutOne(recent, rise) >= TREND_RISE)
    return wordFor(rise(recent));
  return spreadButOne(recent) < TREND_RISE ? 'steady' : 'unclear';
}

function wordFor(change: number): Trend {
  return change > 0 ? 'improving' : 'worsening';
}

/** Theil–Sen slope (Sen 1968) times the turns that it spans: half of the pairs may be far out. */
function rise(turns: readonly ToneTurn[]): number {
  const slopes = turns.flatMap((left, index) =>
    turns.slice(index + 1).map((right) => (right.tone - left.tone) / (right.turn - left.turn)),
  );
  const usable = slopes.filter(Number.isFinite).toSorted((left, right) => left - right);
  const span = (turns.at(-1)?.turn ?? 0) - (turns[0]?.turn ?? 0);
  return median(usable) * span;
}

function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? 0 : (low + high) / 2;
}

/** Distance between the extremes, without the turn whose absence brings them closest. */
function spreadButOne(turns: readonly ToneTurn[]): number {
  const spreads = turns.map((_, index) => {
    const tones = turns.toSpliced(index, 1).map(({ tone }) => tone);
    return Math.max(...tones) - Math.min(...tones);
  });
  return Math.min(...spreads);
}
