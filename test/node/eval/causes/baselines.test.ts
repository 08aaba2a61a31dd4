import { describe, expect, it } from 'vitest';
import { firstWords, tfIdf } from '../../../../eval/causes/baselines.ts';
import { contentWords } from '../../../../eval/causes/content-words.ts';

function ranked(text: string, dialogue: string, rank: ReturnType<typeof tfIdf>): string[] {
  const words = contentWords(text);
  return rank({ dialogue, text }, words).map((index) =>
    text.slice(words[index]?.start, words[index]?.end),
  );
}

describe('content words', () => {
  it('have a letter and are no function words; contractions and compounds are one word', () => {
    const text = "I don't think the 3 mother-in-law jokes were funny , you know 2day !";
    expect(contentWords(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'think',
      'mother-in-law',
      'jokes',
      'funny',
      'know',
      '2day',
    ]);
  });

  it('stand at UTF-16 offsets, also behind an emoji', () => {
    expect(contentWords('😂 cake')).toEqual([{ start: 3, end: 7 }]);
  });
});

describe('tf-idf', () => {
  const said = [
    { dialogue: 'a', text: 'the train was late' },
    { dialogue: 'b', text: 'my train left' },
    { dialogue: 'c', text: 'the train again' },
    { dialogue: 'd', text: 'thunder' },
  ];

  it('puts words first that other dialogues seldom have', () => {
    expect(ranked('train thunder zebra', 'x', tfIdf(said))).toEqual(['zebra', 'thunder', 'train']);
  });

  it('does not hold a word against its own dialogue', () => {
    const own = [...said, { dialogue: 'x', text: 'zebra' }, { dialogue: 'x', text: 'zebra' }];
    expect(ranked('thunder zebra', 'x', tfIdf(own))).toEqual(['zebra', 'thunder']);
  });

  it('counts a word that is said again, and keeps the order of equal ones', () => {
    expect(ranked('rain wind wind', 'x', tfIdf(said))).toEqual(['wind', 'wind', 'rain']);
    expect(ranked('rain wind', 'x', tfIdf(said))).toEqual(['rain', 'wind']);
  });
});

describe('first words', () => {
  it('are the words as they stand', () => {
    expect(firstWords(contentWords('cold wet rain'))).toEqual([0, 1, 2]);
  });
});
