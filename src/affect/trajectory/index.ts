/** The course of a person's feeling over a dialogue: pure, no clock, no random. */
import { distributionOf, groupsOf } from '../groups.ts';
import { mixtureOf } from './mixed.ts';
import { findShift } from './shift.ts';
import { remembered, retention, smooth, smoothRows } from './smooth.ts';
import { toneTurns } from './tone.ts';
import { trendOf } from './trend.ts';
import type { Trajectory, TrajectoryPoint, TurnReading } from './types.ts';

export { type Clause, clausesOf } from './clauses.ts';
export { type Part, partsOf } from './parts.ts';
export type {
  FamilyShares,
  Mixture,
  RankedFamily,
  Shift,
  Trajectory,
  TrajectoryPoint,
  Trend,
  TurnReading,
} from './types.ts';

/**
 * Smoothed points, trend, latest shift, mixture and present state of a dialogue.
 *
 * Missing readings and forgotten ones take no part in anything; none of the results is ever NaN. Readings should be of
 * each turn with little history: a reading of the whole dialogue lags behind the person
 * (docs/decisions/2026-11-30-families-and-trajectory.md).
 *
 * @param turns the person's turns, in order.
 * @example
 * const { trend, present } = trajectoryOf([
 *   { turn: 1, probabilities: null, valence: -0.4, arousal: 0.1, intensity: 0.5 },
 *   { turn: 2, probabilities: null, valence: -0.3, arousal: 0.1, intensity: 0.4 },
 *   { turn: 3, probabilities: null, valence: -0.4, arousal: 0.2, intensity: 0.5 },
 * ]);
 * // trend: 'steady', present.valence: about −0.37
 */
export function trajectoryOf(turns: readonly TurnReading[]): Trajectory {
  const kept = turns.map((reading, index) => retention(turns[index - 1], reading));
  const points = pointsOf(turns, kept);
  const recent = remembered(turns, kept);
  const toned = toneTurns(recent);
  const shift = findShift(toned);
  const latest = recent.findLast(({ probabilities }) => isRead(probabilities));
  return {
    points,
    trend: trendOf(toned, shift),
    shift,
    mixed: mixtureOf(latest?.probabilities ?? [], latest?.parts),
    present: points.at(-1) ?? null,
  };
}

function isRead(probabilities: readonly number[] | null): boolean {
  return probabilities !== null && distributionOf(probabilities) !== null;
}

function pointsOf(turns: readonly TurnReading[], kept: readonly number[]): TrajectoryPoint[] {
  const valence = smooth(
    turns.map((reading) => reading.valence),
    kept,
  );
  const arousal = smooth(
    turns.map((reading) => reading.arousal),
    kept,
  );
  const intensity = smooth(
    turns.map((reading) => reading.intensity),
    kept,
  );
  const emotions = smoothRows(
    turns.map(({ probabilities }) => probabilities && distributionOf(probabilities)),
    kept,
  );
  return turns.map(({ turn, at }, index) => ({
    turn,
    ...(at === undefined ? {} : { at }),
    valence: valence[index] ?? null,
    arousal: arousal[index] ?? null,
    intensity: intensity[index] ?? null,
    ...groupsAt(emotions[index] ?? null),
  }));
}

/** Families and polarity are sums of emotions, so smoothing the emotions smooths them alike. */
function groupsAt(
  probabilities: readonly number[] | null,
): Pick<TrajectoryPoint, 'families' | 'polarity'> {
  return probabilities === null ? { families: null, polarity: null } : groupsOf(probabilities);
}
