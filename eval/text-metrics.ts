/** Metrics over generated replies. Pure functions; each states its protocol. */

/** Cuts a text into the units that BLEU and Dist count. */
export type Tokenise = (text: string) => string[];

/** Lower-cased words (contractions whole) and single punctuation marks. */
export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?|[^\s\p{L}\p{N}]/gu) ?? [];
}

/**
 * The tokens of EmpatheticDialogues' own BLEU script (`empchat/datasets/tokens.py`): blanks around
 * . , ; : ! ' ? and nothing else, so that `I'm` is three tokens. Lower-cased, because our server
 * writes its own capitals; the script leaves case to a dictionary that was not published.
 */
export function publishedTokens(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[.,;:!'?]/g, ' $& ')
    .split(/\s+/)
    .filter((token) => token !== '');
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

/** What corpus BLEU is made of; sums of it are that of a larger corpus. */
export interface BleuCounts {
  /** Clipped matches and all n-grams of the hypotheses, by order from 1. */
  readonly matches: readonly number[];
  readonly totals: readonly number[];
  readonly hypothesis: number;
  readonly reference: number;
}

/** @param pair [hypothesis, reference] */
export function bleuCounts(
  [hypothesis, reference]: readonly [string, string],
  tokenise: Tokenise = words,
): BleuCounts {
  const said = tokenise(hypothesis);
  const wanted = tokenise(reference);
  const matches = Array<number>(MAX_ORDER).fill(0);
  const totals = Array<number>(MAX_ORDER).fill(0);
  for (let order = 1; order <= MAX_ORDER; order++) {
    const left = counts(wanted, order);
    for (const [gram, count] of counts(said, order)) {
      matches[order - 1] = (matches[order - 1] ?? 0) + Math.min(count, left.get(gram) ?? 0);
      totals[order - 1] = (totals[order - 1] ?? 0) + count;
    }
  }
  return { matches, totals, hypothesis: said.length, reference: wanted.length };
}

/**
 * Corpus BLEU (Papineni et al. 2002) with one reference each, in percent: BLEU-k is the geometric
 * mean of the clipped precisions up to k times the brevity penalty; no smoothing (as fairseq's
 * scorer, which EmpatheticDialogues used, and multi-bleu.perl).
 */
export function bleuOf(parts: readonly BleuCounts[]): Bleu {
  const matches = Array<number>(MAX_ORDER).fill(0);
  const totals = Array<number>(MAX_ORDER).fill(0);
  let hypothesis = 0;
  let reference = 0;
  for (const part of parts) {
    for (let order = 0; order < MAX_ORDER; order++) {
      matches[order] = (matches[order] ?? 0) + (part.matches[order] ?? 0);
      totals[order] = (totals[order] ?? 0) + (part.totals[order] ?? 0);
    }
    hypothesis += part.hypothesis;
    reference += part.reference;
  }
  const penalty = hypothesis >= reference ? 1 : Math.exp(1 - reference / Math.max(hypothesis, 1));
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

/** Corpus BLEU of [hypothesis, reference] pairs. */
export function bleu(pairs: readonly (readonly [string, string])[], tokenise?: Tokenise): Bleu {
  return bleuOf(pairs.map((pair) => bleuCounts(pair, tokenise)));
}

/** Distinct n-grams over all n-grams of a corpus, in percent (Li et al. 2016). Falls with its size. */
export function distinct(texts: readonly string[], order: number): number {
  return distinctWithout([texts], order).all;
}

/**
 * Dist-n of everything, and of everything but each cluster (for a jackknife), in one pass.
 * @param clusters the texts of each conversation
 */
export function distinctWithout(
  clusters: readonly (readonly string[])[],
  order: number,
): { readonly all: number; readonly without: readonly number[] } {
  const grams = clusters.map((texts) => {
    const sum = new Map<string, number>();
    for (const text of texts) {
      for (const [gram, count] of counts(words(text), order)) {
        sum.set(gram, (sum.get(gram) ?? 0) + count);
      }
    }
    return sum;
  });
  const holders = new Map<string, number>();
  let total = 0;
  for (const mine of grams) {
    for (const [gram, count] of mine) {
      holders.set(gram, (holders.get(gram) ?? 0) + 1);
      total += count;
    }
  }
  const percent = (different: number, of: number) => (of === 0 ? 0 : (100 * different) / of);
  const without = grams.map((mine) => {
    const alone = [...mine.keys()].filter((gram) => holders.get(gram) === 1).length;
    const own = [...mine.values()].reduce((sum, count) => sum + count, 0);
    return percent(holders.size - alone, total - own);
  });
  return { all: percent(holders.size, total), without };
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

/** What perplexity is made of; sums of it are that of more replies. */
export interface LikelihoodCounts {
  /** Negative log-likelihood, nats. */
  readonly nll: number;
  readonly tokens: number;
  readonly words: number;
  readonly characters: number;
}

export function likelihoodCounts({ logprobs, text }: Likelihood): LikelihoodCounts {
  return {
    nll: -logprobs.reduce((sum, value) => sum + value, 0),
    tokens: logprobs.length,
    words: text.trim().split(/\s+/).length + 1,
    characters: [...text].length,
  };
}

/** Corpus perplexity: total negative log-likelihood over tokens, words, characters. */
export function perplexityOf(parts: readonly LikelihoodCounts[]): Perplexity {
  let [nll, tokens, wordCount, characters] = [0, 0, 0, 0];
  for (const part of parts) {
    nll += part.nll;
    tokens += part.tokens;
    wordCount += part.words;
    characters += part.characters;
  }
  return {
    ppl_token: Math.exp(nll / Math.max(tokens, 1)),
    ppl_word: Math.exp(nll / Math.max(wordCount, 1)),
    bits_per_char: nll / Math.LN2 / Math.max(characters, 1),
  };
}

/** Corpus perplexity of replies. */
export function perplexity(replies: readonly Likelihood[]): Perplexity {
  return perplexityOf(replies.map(likelihoodCounts));
}

function counts(tokens: readonly string[], order: number): Map<string, number> {
  const result = new Map<string, number>();
  for (let start = 0; start + order <= tokens.length; start++) {
    const gram = tokens.slice(start, start + order).join(' ');
    result.set(gram, (result.get(gram) ?? 0) + 1);
  }
  return result;
}
