import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { LENGTHS } from '../../../bench/classifier/warm.ts';
import { PASSAGE_WORDS, passage } from '../../../bench/passage.ts';
import description from '../../../src/affect/model/affect.json' with { type: 'json' };
import json from '../../../src/affect/model/tokenizer.json' with { type: 'json' };

describe('the message of the classifier bench', () => {
  const tokenizer = new Tokenizer(json, {});

  it.each(Object.values(LENGTHS))('has a token for each of its %i words', (words) => {
    const text = passage(words);
    expect(text.split(' ')).toHaveLength(words);
    expect(tokenizer.encode(text, { add_special_tokens: false }).ids).toHaveLength(words);
  });

  it('fills the whole window of the model at the longest length, specials included', () => {
    expect(LENGTHS[128] + 3).toBe(description.max_tokens);
    expect(PASSAGE_WORDS).toBeGreaterThanOrEqual(LENGTHS[128]);
  });
});
