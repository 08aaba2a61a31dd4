/**
 * Has the feeling shifted, which way, how far, since when.
 *
 * A change point is looked for as in retrospective CUSUM (Hinkley 1970, "Inference about the
 * change-point in a sequence of random variables"): the split of the recent turns whose two sides
 * differ most. Two differences are measured: of the mean tone, and of the mean families
 * (Jensen–Shannon divergence). Dialogues have too few turns to estimate their noise, so instead of a
 * variance each difference must survive the removal of any one turn: one misread message never is a
 * shift, wherever it stands and however far it is out.
 */
import type { Family } from '../groups.ts';
import { FAMILIES } from '../groups.ts';
import { SHIFT_DIVERGENCE, SHIFT_MIN_TURNS, SHIFT_TONE, SHIFT_WINDOW } from './constants.ts';
import { jensenShannon, meanShares } from './divergence.ts';
import { leastWithoutOne } from './jackknife.ts';
import type { ToneTurn } from './tone.ts';
import type { Shift } from './types.ts';

export interface ShiftLimits {
  /** Least change of the mean tone. */
  readonly tone: number;
  /** Least divergence of the mean families, in bits. */
  readonly divergence: number;
}

const LIMITS: ShiftLimits = { tone: SHIFT_TONE, divergence: SHIFT_DIVERGENCE };

/**
 * The latest shift within the last `SHIFT_WINDOW` turns; `null` when there is none or too little was
 * read. When a shift is found, what came before it is put aside and the rest searched again, so that
 * there and back is reported as back.
 *
 * @param turns in order, only those that could be read.
 */
export function findShift(turns: readonly ToneTurn[], limits: ShiftLimits = LIMITS): Shift | null {
  let rest = turns.slice(-SHIFT_WINDOW);
  let latest: Shift | null = null;
  for (;;) {
    const found = strongestSplit(rest, limits);
    if (found === null) return latest;
    latest = found.shift;
    rest = rest.slice(found.at);
  }
}

interface Split {
  readonly at: number;
  readonly strength: number;
  readonly shift: Shift;
}

function strongestSplit(turns: readonly ToneTurn[], limits: ShiftLimits): Split | null {
  let best: Split | null = null;
  for (let at = SHIFT_MIN_TURNS; at <= turns.length - SHIFT_MIN_TURNS; at += 1) {
    const split = splitAt(turns, at, limits);
    if (split !== null && (best === null || split.strength > best.strength)) best = split;
  }
  return best;
}

function splitAt(turns: readonly ToneTurn[], at: number, limits: ShiftLimits): Split | null {
  const before = turns.slice(0, at);
  const since = turns.slice(at);
  const first = since[0];
  if (first === undefined) return null;
  const byTone = leastChange(before, since, toneChange) / limits.tone;
  const byFamilies = leastChange(before, since, familyChange) / limits.divergence;
  if (Math.max(byTone, byFamilies) < 1) return null;
  const size = toneChange(before, since);
  // As in the likelihood ratio of a change of mean: even sides weigh most.
  const evenness = Math.sqrt((before.length * since.length) / turns.length);
  return {
    at,
    strength: Math.max(byTone, byFamilies) * evenness,
    shift: {
      direction: byTone < 1 ? 'sideways' : size > 0 ? 'up' : 'down',
      size,
      divergence: familyChange(before, since),
      since: first.turn,
      from: strongestFamily(before),
      to: strongestFamily(since),
    },
  };
}

type Change = (before: readonly ToneTurn[], since: readonly ToneTurn[]) => number;

/** What is left of a change after leaving out the turn, of either side, that speaks most for it. */
function leastChange(before: readonly ToneTurn[], since: readonly ToneTurn[], of: Change): number {
  const marked = [
    ...before.map((turn) => ({ turn, isBefore: true })),
    ...since.map((turn) => ({ turn, isBefore: false })),
  ];
  const side = (rest: readonly (typeof marked)[number][], isBefore: boolean) =>
    rest.filter((entry) => entry.isBefore === isBefore).map(({ turn }) => turn);
  return leastWithoutOne(marked, (rest) => of(side(rest, true), side(rest, false)));
}

function toneChange(before: readonly ToneTurn[], since: readonly ToneTurn[]): number {
  return meanTone(since) - meanTone(before);
}

function meanTone(turns: readonly ToneTurn[]): number {
  return turns.reduce((sum, { tone }) => sum + tone, 0) / turns.length;
}

/** 0 where a side has no families to compare. */
function familyChange(before: readonly ToneTurn[], since: readonly ToneTurn[]): number {
  const [left, right] = [familiesOf(before), familiesOf(since)];
  return left.length === right.length ? jensenShannon(left, right) : 0;
}

function familiesOf(turns: readonly ToneTurn[]): number[] {
  return meanShares(turns.map(({ families }) => families).filter((row) => row !== null));
}

function strongestFamily(turns: readonly ToneTurn[]): Family | null {
  const shares = familiesOf(turns);
  const index = shares.indexOf(Math.max(...shares));
  return FAMILIES[index] ?? null;
}
