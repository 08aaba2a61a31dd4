import { describe, expect, it } from 'vitest';
import {
  bleu,
  bleuCounts,
  bleuOf,
  distinct,
  distinctWithout,
  perplexity,
  publishedTokens,
  words,
} from '../../../eval/text-metrics.ts';

describe('bleu', () => {
  it('is 100 for a corpus equal to its references', () => {
    const text = 'I am so sorry to hear that.';
    expect(bleu([[text, text]])).toMatchObject({ bleu1: 100, bleu4: 100, avg_bleu: 100 });
  });

  it('clips repeated words, as in the example of Papineni et al. 2002', () => {
    const result = bleu([['the the the the the the the', 'the cat is on the mat']]);
    expect(result.bleu1).toBeCloseTo((100 * 2) / 7, 6);
    expect(result.bleu2).toBe(0);
  });

  it('punishes a short corpus by the brevity penalty', () => {
    const result = bleu([['a b c d', 'a b c d e f g h']]);
    expect(result.brevity_penalty).toBeCloseTo(Math.exp(-1), 6);
    expect(result.bleu4).toBeCloseTo(100 * Math.exp(-1), 4);
  });

  it('sums counts over the corpus instead of averaging sentences', () => {
    const result = bleu([
      ['a b', 'a b'],
      ['c d e f', 'x y z w'],
    ]);
    expect(result.bleu1).toBeCloseTo(100 / 3, 6);
  });
});

describe('bleuOf', () => {
  it('gives of the sums of two corpora what bleu gives of both', () => {
    const pairs = [
      ['a b c d e', 'a b c x e'],
      ['c d e f', 'x y z w'],
    ] as const;
    expect(bleuOf(pairs.map((pair) => bleuCounts(pair)))).toEqual(bleu(pairs));
  });
});

describe('publishedTokens', () => {
  it('parts apostrophes and marks as the script of EmpatheticDialogues does', () => {
    expect(publishedTokens("I'm sorry, Tom! Why?")).toEqual([
      'i',
      "'",
      'm',
      'sorry',
      ',',
      'tom',
      '!',
      'why',
      '?',
    ]);
    expect(publishedTokens('well... ok (fine)')).toEqual(['well', '.', '.', '.', 'ok', '(fine)']);
    expect(publishedTokens('I’m')).toEqual(['i', "'", 'm']);
  });

  it('makes a contraction that is half right worth something', () => {
    const pair = [["i'm fine", "i'd fine"]] as const;
    expect(bleu(pair, publishedTokens).bleu1).toBeGreaterThan(bleu(pair).bleu1);
  });
});

describe('distinct', () => {
  it('counts distinct n-grams over the whole corpus in percent', () => {
    expect(distinct(['a b a b', 'a b'], 1)).toBeCloseTo((100 * 2) / 6, 6);
    expect(distinct(['a b a b', 'a b'], 2)).toBeCloseTo((100 * 2) / 4, 6);
    expect(distinct([''], 2)).toBe(0);
  });
});

describe('distinctWithout', () => {
  it('is Dist-n of everything but each conversation', () => {
    const clusters = [['a b', 'a c'], ['a b'], ['d']];
    const { all, without } = distinctWithout(clusters, 1);
    expect(all).toBe(distinct(clusters.flat(), 1));
    expect(without).toEqual(
      clusters.map((_, left) => distinct(clusters.filter((__, index) => index !== left).flat(), 1)),
    );
  });
});

describe('perplexity', () => {
  it('is the exponential of the mean negative log-likelihood per unit', () => {
    const replies = [{ logprobs: [Math.log(0.5), Math.log(0.25)], text: 'so sad' }];
    const result = perplexity(replies);
    expect(result.ppl_token).toBeCloseTo(Math.sqrt(8), 6);
    expect(result.ppl_word).toBeCloseTo(2, 6);
    expect(result.bits_per_char).toBeCloseTo(3 / 6, 6);
  });
});

describe('words', () => {
  it('lower-cases and parts punctuation, keeping contractions whole', () => {
    expect(words("I'm sorry, Tom! 🙂")).toEqual(["i'm", 'sorry', ',', 'tom', '!', '🙂']);
  });
});
