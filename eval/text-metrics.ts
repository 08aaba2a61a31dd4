/** Metrics over generated replies. Pure functions; each states its protocol. */

/** Lower-cased words and single punctuation marks, as the published BLEU figures tokenise. */
export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?|[^\s\p{L}\p{N}]/gu) ?? [];
}

export interface Bleu {
  readonly bleu1: number;
  readonly bleu2: number;
  readonly bleu3: number;
  readonly bleu4: number;
  /** Mean of the four, as in EmpatheticDialogues (arXiv 1811.00207). */
  readonly avg_bleu: number;
  readonly brevity_penalty: number;
}

const MAX_ORDER = 4;

/**
 * Corpus BLEU (Papineni et al. 2002) with one reference each, in percent: BLEU-k is the geometric
 * mean of the clipped precisions up to k times the brevity penalty; no smoothing.
 * @param pairs [hypothesis, reference]
 */
export function bleu(pairs: readonly (readonly [string, string])[]): Bleu {
  const matches = Array<number>(MAX_ORDER).fill(0);
  const totals = Array<number>(MAX_ORDER).fill(0);
  let hypothesisLength = 0;
  let referenceLength = 0;
  for (const [hypothesis, reference] of pairs) {
    const said = words(hypothesis);
    const wanted = words(reference);
    hypothesisLength += said.length;
    referenceLength += wanted.length;
    for (let order = 1; order <= MAX_ORDER; order++) {
      const left = counts(wanted, order);
      for (const [gram, count] of counts(said, order)) {
        matches[order - 1] = (matches[order - 1] ?? 0) + Math.min(count, left.get(gram) ?? 0);
        totals[order - 1] = (totals[order - 1] ?? 0) + count;
      }
    }
  }
  const penalty =
    hypothesisLength >= referenceLength
      ? 1
      : Math.exp(1 - referenceLength / Math.max(hypothesisLength, 1));
  const scores: number[] = [];
  let logSum = 0;
  for (let order = 0; order < MAX_ORDER; order++) {
    logSum += Math.log((matches[order] ?? 0) / Math.max(totals[order] ?? 0, 1));
    scores.push(100 * penalty * Math.exp(logSum / (order + 1)));
  }
  const [bleu1 = 0, bleu2 = 0, bleu3 = 0, bleu4 = 0] = scores;
  return {
    bleu1,
    bleu2,
    bleu3,
    bleu4,
    avg_bleu: (bleu1 + bleu2 + bleu3 + bleu4) / MAX_ORDER,
    brevity_penalty: penalty,
  };
}

/** Distinct n-grams over all n-grams of a corpus, in percent (Li et al. 2016). */
export function distinct(texts: readonly string[], order: number): number {
  const seen = new Set<string>();
  let total = 0;
  for (const text of texts) {
    for (const [gram, count] of counts(words(text), order)) {
      seen.add(gram);
      total += count;
    }
  }
  return total === 0 ? 0 : (100 * seen.size) / total;
}

export interface Likelihood {
  /** Natural-log probability of each token, end token included. */
  readonly logprobs: readonly number[];
  readonly text: string;
}

export interface Perplexity {
  readonly ppl_token: number;
  /** Over white-space words plus the end, so that tokenizers can be compared. */
  readonly ppl_word: number;
  readonly bits_per_char: number;
}

/** Corpus perplexity of replies: total negative log-likelihood over tokens, words, characters. */
export function perplexity(replies: readonly Likelihood[]): Perplexity {
  let nll = 0;
  let tokens = 0;
  let wordCount = 0;
  let characters = 0;
  for (const { logprobs, text } of replies) {
    nll -= logprobs.reduce((sum, value) => sum + value, 0);
    tokens += logprobs.length;
    wordCount += text.trim().split(/\s+/).length + 1;
    characters += [...text].length;
  }
  return {
    ppl_token: Math.exp(nll / Math.max(tokens, 1)),
    ppl_word: Math.exp(nll / Math.max(wordCount, 1)),
    bits_per_char: nll / Math.LN2 / Math.max(characters, 1),
  };
}

function counts(tokens: readonly string[], order: number): Map<string, number> {
  const result = new Map<string, number>();
  for (let start = 0; start + order <= tokens.length; start++) {
    const gram = tokens.slice(start, start + order).join(' ');
    result.set(gram, (result.get(gram) ?? 0) + 1);
  }
  return result;
}
