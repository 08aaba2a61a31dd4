/** Metrics of a classifier over its predicted distributions. Pure functions; each states its protocol. */

/** One example: the predicted distribution over the classes, and the index of the true class. */
export interface Scored {
  /** Probabilities [classes]; need not sum to 1 exactly. */
  readonly probabilities: readonly number[];
  readonly label: number;
}

/** Bins of the expected calibration error (Guo et al. 2017, arXiv 1706.04599). */
export const ECE_BINS = 15;

/** Index of the largest value; the first of equal ones; −1 for an empty list. */
export function argmax(values: readonly number[]): number {
  let best = -1;
  for (const [index, value] of values.entries()) {
    if (best < 0 || value > (values[best] ?? Number.NEGATIVE_INFINITY)) best = index;
  }
  return best;
}

/** Share of examples whose label is among the k most probable classes; 0 without examples. */
export function topK(examples: readonly Scored[], k: number): number {
  return mean(examples.map((example) => (rankOf(example) < k ? 1 : 0)));
}

/** How many classes come before the label: more probable, or as probable and earlier in the list. */
function rankOf({ probabilities, label }: Scored): number {
  const own = probabilities[label] ?? Number.NEGATIVE_INFINITY;
  return probabilities.filter((value, index) => value > own || (value === own && index < label))
    .length;
}

/** Unweighted mean of F1 over the classes that occur as label or as prediction (E07). */
export function macroF1(examples: readonly Scored[]): number {
  return mean(classFigures(examples).map(({ f1 }) => f1));
}

export interface ClassFigures {
  /** Index of the class. */
  readonly of: number;
  /** Examples with this label. */
  readonly n: number;
  /** 0 where the class was never predicted. */
  readonly precision: number;
  /** 0 where the class is no example's label. */
  readonly recall: number;
  readonly f1: number;
}

/** Of each class that occurs as label or as prediction, in the order of the classes. */
export function classFigures(examples: readonly Scored[]): ClassFigures[] {
  // One pass: an interval asks for a thousand resamples of this.
  const classes = new Map<number, { n: number; claimed: number; hits: number }>();
  const countsOf = (of: number) => {
    const known = classes.get(of);
    if (known !== undefined) return known;
    const fresh = { n: 0, claimed: 0, hits: 0 };
    classes.set(of, fresh);
    return fresh;
  };
  for (const { probabilities, label } of examples) {
    const predicted = argmax(probabilities);
    countsOf(label).n += 1;
    countsOf(predicted).claimed += 1;
    if (predicted === label) countsOf(label).hits += 1;
  }
  return [...classes]
    .toSorted(([left], [right]) => left - right)
    .map(([of, { n, claimed, hits }]) => ({
      of,
      n,
      precision: claimed === 0 ? 0 : hits / claimed,
      recall: n === 0 ? 0 : hits / n,
      f1: (2 * hits) / (n + claimed),
    }));
}

/** How often each label was called each class: `[label][predicted]`, counts. */
export function confusion(examples: readonly Scored[], classes: number): number[][] {
  const counts = Array.from({ length: classes }, () => Array<number>(classes).fill(0));
  for (const { probabilities, label } of examples) {
    const row = counts[label];
    const predicted = argmax(probabilities);
    if (row !== undefined) row[predicted] = (row[predicted] ?? 0) + 1;
  }
  return counts;
}

export interface ReliabilityBin {
  /** Confidences in [low, high), the last bin with 1. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** Mean confidence and share of right answers in the bin; 0 in an empty one. */
  readonly confidence: number;
  readonly accuracy: number;
}

/** Equal-width bins of the top label's confidence, empty ones too. */
export function reliability(examples: readonly Scored[], bins = ECE_BINS): ReliabilityBin[] {
  const members = Array.from({ length: bins }, (): { confidence: number; hit: number }[] => []);
  for (const { probabilities, label } of examples) {
    const top = argmax(probabilities);
    const confidence = probabilities[top] ?? 0;
    const bin = Math.min(Math.floor(confidence * bins), bins - 1);
    members[bin]?.push({ confidence, hit: top === label ? 1 : 0 });
  }
  return members.map((inBin, index) => ({
    low: index / bins,
    high: (index + 1) / bins,
    n: inBin.length,
    confidence: mean(inBin.map(({ confidence }) => confidence)),
    accuracy: mean(inBin.map(({ hit }) => hit)),
  }));
}

/**
 * Expected calibration error on the top label: |accuracy − confidence| over equal-width bins of the
 * confidence, weighted by their share of the examples. In [0, 1]; 0 without examples.
 */
export function expectedCalibrationError(examples: readonly Scored[], bins = ECE_BINS): number {
  return reliability(examples, bins).reduce(
    (sum, { n, accuracy, confidence }) =>
      n === 0 ? sum : sum + (Math.abs(accuracy - confidence) * n) / examples.length,
    0,
  );
}

/** Top-1 of always answering with the most frequent label of these very examples. */
export function majorityTop1(examples: readonly Pick<Scored, 'label'>[]): number {
  const counts = new Map<number, number>();
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1);
  return examples.length === 0 ? 0 : Math.max(...counts.values()) / examples.length;
}

/** The smallest value; infinity without values. Not `Math.min(...)`: a run has too many for a call. */
export function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

/** Arithmetic mean; 0 without values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
