import { describe, expect, it } from 'vitest';
import { generationFigures, likelihoodFigures } from '../../../../eval/reply/figures.ts';
import type { Generated } from '../../../../eval/reply/measure.ts';

const REPLIES = [
  'oh no',
  'I am so very sorry',
  'what happened then my friend',
  'that is great news',
];

/** One turn of each of ten conversations that differ in length, words and probability. */
const rows = Array.from({ length: 10 }, (_, index) => {
  const reference = `${REPLIES[index % 4]} ${index}`;
  const logprobs = Array.from({ length: 3 + (index % 4) }, () => -0.5 - index / 10);
  const likelihood = { logprobs, text: reference };
  const generated: Generated = {
    text: index % 3 === 0 ? 'oh no' : `${REPLIES[index % 4]} indeed`,
    emotionMass: 1,
    intentMass: 1,
  };
  return {
    conv_id: `c${index}`,
    said: 'hi',
    reference,
    any: likelihood,
    predicted: likelihood,
    oracle: index < 5 ? likelihood : null,
    generated,
  };
});

describe('intervals of the likelihood of replies', () => {
  const { figures, ci95 } = likelihoodFigures(rows);

  it.each(['ppl_token', 'ppl_word', 'bits_per_char', 'ppl_token_oracle_intent'] as const)(
    'hold %s, over conversations',
    (name) => {
      const [low, high] = ci95[name] ?? [];
      expect(low).toBeLessThan(figures[name] ?? Number.NaN);
      expect(high).toBeGreaterThan(figures[name] ?? Number.NaN);
    },
  );
});

describe('intervals of generated replies', () => {
  const { figures, ci95 } = generationFigures(rows);

  it.each([
    'bleu1',
    'bleu2',
    'avg_bleu',
    'avg_bleu_published_tokens',
    'brevity_penalty',
    'dist1',
    'dist2',
    'human_dist1',
    'human_dist2',
  ] as const)('hold %s, over conversations', (name) => {
    const [low, high] = ci95[name] ?? [];
    expect(low).toBeLessThan(figures[name] ?? Number.NaN);
    expect(high).toBeGreaterThan(figures[name] ?? Number.NaN);
  });

  it('of distinct words are not those of a resample, which repeats conversations', () => {
    const [low = Number.NaN, high = Number.NaN] = ci95['dist1'] ?? [];
    // The jackknife is even on both sides.
    expect((low + high) / 2).toBeCloseTo(figures.dist1 ?? Number.NaN, 9);
  });

  it('are none without replies', () => {
    expect(new Set(Object.values(generationFigures([]).ci95))).toEqual(new Set([null]));
  });
});
