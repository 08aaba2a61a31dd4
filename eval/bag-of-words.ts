/**
 * The baseline that needs no network: multinomial naive Bayes over words and pairs of words
 * (McCallum & Nigam 1998; a word counts once a document, Wang & Manning 2012).
 */
import { words } from './text-metrics.ts';

export interface LabelledText {
  readonly text: string;
  /** Index of the class. */
  readonly label: number;
}

/** Posterior over the classes of one text; sums to 1. */
export type BagOfWords = (text: string) => number[];

/** Added to every count (Lidstone); of 0.1, 0.3 and 1 the best on the tune half. */
const SMOOTHING = 0.3;

/** A word or pair that one document alone has says more about that document than about its class. */
const MIN_DOCUMENTS = 2;

/**
 * Trains on all texts at once; deterministic, some seconds for 60,000 texts.
 * @param classes number of classes; labels are below it
 */
export function trainBagOfWords(texts: readonly LabelledText[], classes: number): BagOfWords {
  const documents = Array<number>(classes).fill(0);
  const counts = new Map<string, Float64Array>();
  for (const { text, label } of texts) {
    documents[label] = (documents[label] ?? 0) + 1;
    for (const feature of features(text)) {
      const row = counts.get(feature) ?? new Float64Array(classes);
      row[label] = (row[label] ?? 0) + 1;
      counts.set(feature, row);
    }
  }
  const totals = new Float64Array(classes);
  for (const [feature, row] of counts) {
    if (row.reduce((sum, value) => sum + value, 0) < MIN_DOCUMENTS) {
      counts.delete(feature);
      continue;
    }
    for (const [index, value] of row.entries()) totals[index] = (totals[index] ?? 0) + value;
  }
  const mass = totals.map((total) => Math.log(total + SMOOTHING * counts.size));
  const priors = documents.map((count) => Math.log((count + 1) / (texts.length + classes)));

  return function posterior(text) {
    const scores = [...priors];
    for (const feature of features(text)) {
      const row = counts.get(feature);
      if (row === undefined) continue;
      for (const [index, value] of row.entries()) {
        scores[index] = (scores[index] ?? 0) + Math.log(value + SMOOTHING) - (mass[index] ?? 0);
      }
    }
    return softmax(scores);
  };
}

/** Words and neighbouring pairs of a text, each once. */
function features(text: string): Set<string> {
  const said = words(text);
  const found = new Set(said);
  for (const [index, word] of said.entries()) {
    if (index > 0) found.add(`${said[index - 1]} ${word}`);
  }
  return found;
}

function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - largest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
