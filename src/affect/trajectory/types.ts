/** How a person's feeling moves over the turns of a dialogue. Pure types. */
import type { Family, PolarityShares } from '../groups.ts';

/** What was read of one turn of the person; `null` where the reading abstained or was unavailable. */
export interface TurnReading {
  /** Number of the person's turn, whole and rising; skipped numbers count as missing readings. */
  readonly turn: number;
  /** When it was said, in milliseconds on any clock; only differences count. */
  readonly at?: number;
  /** One per entry of `EMOTIONS`, same order. */
  readonly probabilities: readonly number[] | null;
  /** Readings of the parts of the turn (`partsOf`), for mixed feelings; may be left out. */
  readonly parts?: readonly (readonly number[])[];
  /** −1 (unpleasant) … 1 (pleasant). */
  readonly valence: number | null;
  /** −1 (calm) … 1 (stirred). */
  readonly arousal: number | null;
  /** 0 … 1. */
  readonly intensity: number | null;
}

/** Shares of the families in the order of `FAMILIES`: ≥ 0, sum 1. */
export type FamilyShares = readonly number[];

export interface RankedFamily {
  readonly family: Family;
  readonly probability: number;
}

/** The smoothed state after one turn; `null` where nothing was read yet or all is forgotten. */
export interface TrajectoryPoint {
  readonly turn: number;
  readonly at?: number;
  readonly valence: number | null;
  readonly arousal: number | null;
  readonly intensity: number | null;
  /** All eight, most probable first. */
  readonly families: readonly RankedFamily[] | null;
  readonly polarity: PolarityShares | null;
}

export interface Shift {
  /** `sideways`: another feeling that is about as pleasant or unpleasant. */
  readonly direction: 'up' | 'down' | 'sideways';
  /** Change of the tone, −2 … 2; negative is for the worse. */
  readonly size: number;
  /** Jensen–Shannon divergence between the families before and since, 0 … 1 bits. */
  readonly divergence: number;
  /** The first turn of the new state. */
  readonly since: number;
  /** The strongest families before and since; `null` where only the valence was read. */
  readonly from: Family | null;
  readonly to: Family | null;
}

export interface Mixture {
  /**
   * `mixed`: a pleasant and an unpleasant family at once. `flat`: no family stands out, which says
   * that little was understood, not that two things are felt. `clear`: neither.
   */
  readonly kind: 'mixed' | 'flat' | 'clear';
  /** The two that pull apart, stronger first; `null` unless mixed. */
  readonly families: readonly [Family, Family] | null;
  /** Entropy of the families as a share of the largest possible, 0 … 1. */
  readonly entropy: number;
}

export type Trend = 'improving' | 'worsening' | 'steady' | 'unclear';

export interface Trajectory {
  /** One per turn that was given, in order. */
  readonly points: readonly TrajectoryPoint[];
  readonly trend: Trend;
  /** The latest shift among the turns not yet forgotten, `null` when there is none. */
  readonly shift: Shift | null;
  /** Of the latest turn that could be read and is not forgotten, unsmoothed; `null` without one. */
  readonly mixed: Mixture | null;
  /** The smoothed state now: the last point; `null` when no turns were given. */
  readonly present: TrajectoryPoint | null;
}
