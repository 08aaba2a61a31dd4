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
  const predicted = examples.map(({ probabilities }) => argmax(probabilities));
  const classes = new Set([...examples.map(({ label }) => label), ...predicted]);
  return mean(
    Array.from(classes, (of) => {
      const labelled = examples.filter(({ label }) => label === of).length;
      const claimed = predicted.filter((prediction) => prediction === of).length;
      const hits = examples.filter(({ label }, at) => label === of && predicted[at] === of).length;
      return (2 * hits) / (labelled + claimed);
    }),
  );
}

/**
 * Expected calibration error on the top label: |accuracy − confidence| over equal-width bins of the
 * confidence, weighted by their share of the examples. In [0, 1].
 */
export function expectedCalibrationError(examples: readonly Scored[], bins = ECE_BINS): number {
  const byBin = new Map<number, { confidence: number; correct: number }[]>();
  for (const { probabilities, label } of examples) {
    const top = argmax(probabilities);
    const confidence = probabilities[top] ?? 0;
    const bin = Math.min(Math.floor(confidence * bins), bins - 1);
    const members = byBin.get(bin) ?? [];
    members.push({ confidence, correct: top === label ? 1 : 0 });
    byBin.set(bin, members);
  }
  let error = 0;
  for (const members of byBin.values()) {
    const accuracy = mean(members.map(({ correct }) => correct));
    const confidence = mean(members.map((member) => member.confidence));
    error += (Math.abs(accuracy - confidence) * members.length) / examples.length;
  }
  return error;
}

/** Top-1 of always answering with the most frequent label of these very examples. */
export function majorityTop1(examples: readonly Pick<Scored, 'label'>[]): number {
  const counts = new Map<number, number>();
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1);
  return examples.length === 0 ? 0 : Math.max(...counts.values()) / examples.length;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
