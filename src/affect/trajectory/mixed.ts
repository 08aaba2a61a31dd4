/** Whether one message carries two feelings that pull apart. */
import { distributionOf, FAMILIES, type Family, familyPolarityOf } from '../groups.ts';
import { FLAT_EVENNESS, MIXED_PART_TONE, MIXED_SHARE } from './constants.ts';
import { evenness } from './divergence.ts';
import { sharesOf, toneOf } from './tone.ts';
import type { FamilyShares, Mixture } from './types.ts';

/**
 * Mixed, flat or clear.
 *
 * Best seen in the readings of the message's parts (`partsOf`): one clearly pleasant, one clearly
 * unpleasant. In the reading of the whole, a pleasant and an unpleasant family must both stand out;
 * a spread without such a pair is flat, because there a classifier that wavers looks the same as one
 * that sees two feelings. Even so `mixed` is a reason to ask, not a finding (figures in
 * docs/decisions/2026-11-30-families-and-trajectory.md).
 *
 * @param whole one per entry of `EMOTIONS`, same order.
 * @param parts the same of each part; fewer than two say nothing.
 * @returns `null` when the whole is no distribution.
 */
export function mixtureOf(
  whole: readonly number[],
  parts: readonly (readonly number[])[] = [],
): Mixture | null {
  const emotions = distributionOf(whole);
  if (emotions === null) return null;
  const shares = sharesOf(emotions);
  const entropy = evenness(shares);
  const families = pairOfParts(parts) ?? pairOfWhole(shares);
  if (families !== null) return { kind: 'mixed', families, entropy };
  return { kind: entropy >= FLAT_EVENNESS ? 'flat' : 'clear', families: null, entropy };
}

interface Leader {
  readonly family: Family;
  readonly weight: number;
}

/** Strongest families of the most pleasant and the most unpleasant part. */
function pairOfParts(parts: readonly (readonly number[])[]): readonly [Family, Family] | null {
  const read = parts
    .map((part) => distributionOf(part))
    .filter((part) => part !== null)
    .map((part) => ({ tone: toneOf(part), shares: sharesOf(part) }))
    .toSorted((left, right) => left.tone - right.tone);
  const [low, high] = [read[0], read.at(-1)];
  if (low === undefined || high === undefined) return null;
  if (low.tone > -MIXED_PART_TONE || high.tone < MIXED_PART_TONE) return null;
  return stronger(
    { family: leaderOf(high.shares, 'positive').family, weight: high.tone },
    { family: leaderOf(low.shares, 'negative').family, weight: -low.tone },
  );
}

function pairOfWhole(shares: FamilyShares): readonly [Family, Family] | null {
  const [pleasant, unpleasant] = [leaderOf(shares, 'positive'), leaderOf(shares, 'negative')];
  if (Math.min(pleasant.weight, unpleasant.weight) < MIXED_SHARE) return null;
  return stronger(pleasant, unpleasant);
}

function stronger(pleasant: Leader, unpleasant: Leader): readonly [Family, Family] {
  return pleasant.weight >= unpleasant.weight
    ? [pleasant.family, unpleasant.family]
    : [unpleasant.family, pleasant.family];
}

function leaderOf(shares: FamilyShares, polarity: 'positive' | 'negative'): Leader {
  return FAMILIES.map((family, index) => ({ family, weight: shares[index] ?? 0 }))
    .filter(({ family }) => familyPolarityOf(family) === polarity)
    .reduce((best, candidate) => (candidate.weight > best.weight ? candidate : best));
}
