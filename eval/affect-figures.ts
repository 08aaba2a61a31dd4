/** From examples and what was read in them to the figures of `eval -- affect`. Pure. */
import { EMOTIONS } from '../src/affect/emotions.ts';
import { familyOf, polarityOf } from '../src/affect/groups.ts';
import type { Reading } from './ask.ts';
import { type Interval, interval95, type Outcome } from './bootstrap.ts';
import type { AffectExample } from './examples.ts';
import {
  argmax,
  expectedCalibrationError,
  macroF1,
  majorityTop1,
  mean,
  type Scored,
  topK,
} from './metrics.ts';

/** An example with the reading of it. */
export interface Answered extends AffectExample {
  readonly reading: Reading;
}

/** A share with its 95 % interval over conversations; both `null` where nothing was asked. */
export interface Share {
  readonly share: number | null;
  readonly ci95: Interval | null;
}

export interface AffectFigures {
  /** Listener turns predicted. */
  readonly n: number;
  readonly top1: number;
  readonly top5: number;
  readonly macro_f1: number;
  /** 15 equal-width bins, top label. */
  readonly ece: number;
  /** Baseline: always the most frequent label of these turns. */
  readonly majority_top1: number;
  /** The most probable of the eight families is the label's; majority beside it. */
  readonly family_top1: number;
  readonly family_majority_top1: number;
  /** The largest of positive, negative and neutral is the label's; majority beside it. */
  readonly polarity_top1: number;
  readonly polarity_majority_top1: number;
  readonly abstained_share: number;
  /** Among the turns not abstained from; `null` when there is none. */
  readonly not_abstained_top1: number | null;
  /** Baseline of bag-of-words.ts on the same turns; `null` without training data. */
  readonly bow_top1: number | null;
  /** Situations asked, one a conversation, as the only message. */
  readonly situation_n: number;
  readonly situation_top1: number | null;
  readonly situation_top5: number | null;
  readonly situation_ece: number | null;
  readonly bow_situation_top1: number | null;
  /** 95 % bootstrap intervals over conversations of the figures of these names. */
  readonly ci95: Readonly<Record<string, Interval | null>>;
}

export interface Answers {
  readonly history: readonly Answered[];
  readonly situations: readonly Answered[];
  /** The baseline's distributions on the same examples; `null` without training data. */
  readonly baseline: { readonly history: number[][]; readonly situations: number[][] } | null;
}

export function affectFigures({ history, situations, baseline }: Answers): AffectFigures {
  const scored = history.map(scoredOf);
  const situationsScored = situations.map(scoredOf);
  const stoodBehind = history.filter(({ reading }) => !reading.abstained);
  const families = history.map(({ label }) => familyAt(label));
  const polarities = history.map(({ label }) => polarityAt(label));
  const rightLabel = (probabilities: readonly number[] | undefined, label: number) =>
    argmax(probabilities ?? []) === label;

  const shares = {
    top1: shareOf(history, ({ reading, label }) => rightLabel(reading.probabilities, label)),
    family_top1: shareOf(
      history,
      ({ reading }, i) => reading.groups.families[0]?.family === families[i],
    ),
    polarity_top1: shareOf(history, ({ reading }, i) => polarityIn(reading) === polarities[i]),
    not_abstained_top1: shareOf(stoodBehind, ({ reading, label }) =>
      rightLabel(reading.probabilities, label),
    ),
    bow_top1: shareOf(baseline === null ? [] : history, ({ label }, i) =>
      rightLabel(baseline?.history[i], label),
    ),
    situation_top1: shareOf(situations, ({ reading, label }) =>
      rightLabel(reading.probabilities, label),
    ),
    bow_situation_top1: shareOf(baseline === null ? [] : situations, ({ label }, i) =>
      rightLabel(baseline?.situations[i], label),
    ),
  };
  const orNull = (value: number) => (situations.length === 0 ? null : value);
  return {
    n: history.length,
    top1: topK(scored, 1),
    top5: topK(scored, 5),
    macro_f1: macroF1(scored),
    ece: expectedCalibrationError(scored),
    majority_top1: majorityTop1(scored),
    family_top1: shares.family_top1.share ?? 0,
    family_majority_top1: majority(families),
    polarity_top1: shares.polarity_top1.share ?? 0,
    polarity_majority_top1: majority(polarities),
    abstained_share: history.length === 0 ? 0 : 1 - stoodBehind.length / history.length,
    not_abstained_top1: shares.not_abstained_top1.share,
    bow_top1: shares.bow_top1.share,
    situation_n: situations.length,
    situation_top1: shares.situation_top1.share,
    situation_top5: orNull(topK(situationsScored, 5)),
    situation_ece: orNull(expectedCalibrationError(situationsScored)),
    bow_situation_top1: shares.bow_situation_top1.share,
    ci95: Object.fromEntries(Object.entries(shares).map(([name, { ci95 }]) => [name, ci95])),
  };
}

/** The reading's distribution with the label, as the metrics take it. */
export function scoredOf({ reading, label }: Answered): Scored {
  return { probabilities: reading.probabilities, label };
}

function shareOf<T extends AffectExample>(
  examples: readonly T[],
  right: (example: T, index: number) => boolean,
): Share {
  const outcomes = examples.map(
    (example, index): Outcome => ({
      cluster: example.conv_id,
      hit: right(example, index) ? 1 : 0,
    }),
  );
  const share = outcomes.length === 0 ? null : mean(outcomes.map(({ hit }) => hit));
  return { share, ci95: interval95(outcomes) };
}

function polarityIn({ groups }: Reading): string | undefined {
  const shares = Object.entries(groups.polarity);
  return shares[argmax(shares.map(([, share]) => share))]?.[0];
}

/** Share of the most frequent of some names. */
function majority(names: readonly string[]): number {
  const known = [...new Set(names)];
  return majorityTop1(names.map((name) => ({ label: known.indexOf(name) })));
}

function familyAt(label: number): string {
  const emotion = EMOTIONS[label];
  return emotion === undefined ? '' : familyOf(emotion);
}

function polarityAt(label: number): string {
  const emotion = EMOTIONS[label];
  return emotion === undefined ? '' : polarityOf(emotion);
}
