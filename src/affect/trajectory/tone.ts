/** One number per turn: how pleasant. */
import { distributionOf, FAMILIES, groupsOf } from '../groups.ts';
import { VALENCE_TO_TONE } from './constants.ts';
import type { FamilyShares, TurnReading } from './types.ts';

/** A turn that could be read. */
export interface ToneTurn {
  readonly turn: number;
  /** −1 (all unpleasant) … 1 (all pleasant). */
  readonly tone: number;
  /** `null` where only the valence was read. */
  readonly families: FamilyShares | null;
}

/**
 * Tone and families of the turns that could be read, in order.
 *
 * The tone is the share of pleasant emotions less that of unpleasant ones; where the emotions are
 * missing, the valence, stretched to the same spread.
 */
export function toneTurns(turns: readonly TurnReading[]): ToneTurn[] {
  return turns.flatMap(({ turn, probabilities, valence }): ToneTurn[] => {
    const emotions = probabilities === null ? null : distributionOf(probabilities);
    if (emotions !== null) {
      return [{ turn, tone: toneOf(emotions), families: sharesOf(emotions) }];
    }
    if (valence === null || !Number.isFinite(valence)) return [];
    return [{ turn, tone: Math.min(1, Math.max(-1, valence * VALENCE_TO_TONE)), families: null }];
  });
}

/** Share of pleasant emotions less that of unpleasant ones, −1 … 1. */
export function toneOf(probabilities: readonly number[]): number {
  const { positive, negative } = groupsOf(probabilities).polarity;
  return positive - negative;
}

/** Shares of the families in the order of `FAMILIES`. */
export function sharesOf(probabilities: readonly number[]): number[] {
  const { families } = groupsOf(probabilities);
  const shares = new Map(families.map(({ family, probability }) => [family, probability]));
  return FAMILIES.map((family) => shares.get(family) ?? 0);
}
