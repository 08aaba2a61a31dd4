import { describe, expect, it } from 'vitest';
import { causeWords } from '../../src/affect/causes.ts';
import { MAX_CAUSES, MAX_EARLIER_CAUSES } from '../../src/affect/constants.ts';
import type { TypedWord } from '../../src/affect/words.ts';

/** A word at position `at` of the sequence, and of as many pieces as asked. */
function word(typed: string, at: number, pieces = 1): TypedWord {
  const positions = Array.from({ length: pieces }, (_, piece) => at + piece);
  return { start: at, end: at + typed.length, typed, positions, known: true, whole: pieces === 1 };
}

describe('causeWords', () => {
  it('ranks words by their most salient piece, over all messages', () => {
    const turns = [
      { message: 1, words: [word('dog', 0), word('vet', 1)] },
      { message: 4, words: [word('unbelievable', 2, 3), word('sad', 5)] },
    ];
    const causes = causeWords(turns, [0, -1, -2, 3, -2, 1], 4);
    expect(causes.map(({ message, start }) => [message, start])).toEqual([
      [4, 2],
      [4, 5],
      [1, 0],
      [1, 1],
    ]);
    expect(causes[0]?.score).toBeCloseTo(1 / (1 + Math.exp(-3)), 12);
    expect(causes[2]?.score).toBe(0.5);
  });

  it('leaves out function words and words that the model does not know', () => {
    const unknown = { ...word('грустно', 2), known: false };
    const words = [word('I’m', 0), word('because', 1), unknown, word('sad', 3)];
    const causes = causeWords([{ message: 0, words }], [9, 9, 9, 0], 0);
    expect(causes).toEqual([{ message: 0, start: 3, end: 6, score: 0.5 }]);
  });

  it('gives the best eight, equal ones in the order of the text', () => {
    const words = Array.from({ length: 20 }, (_, at) => word(`dog${at}`, at));
    const causes = causeWords(
      [{ message: 0, words }],
      words.map((_, at) => (at === 19 ? 1 : 0)),
      0,
    );
    expect(causes).toHaveLength(MAX_CAUSES);
    expect(causes.map(({ start }) => start)).toEqual([19, 0, 1, 2, 3, 4, 5, 6]);
  });

  it('keeps room for the message that is judged, however salient its history', () => {
    const words = (from: number) =>
      Array.from({ length: 20 }, (_, at) => word(`dog${at}`, from + at));
    const turns = [
      { message: 0, words: words(0) },
      { message: 2, words: words(20) },
    ];
    const causes = causeWords(turns, [...Array(20).fill(5), ...Array(20).fill(0)], 2);
    const own = causes.filter(({ message }) => message === 2);
    expect([causes.length - own.length, own.length]).toEqual([MAX_EARLIER_CAUSES, MAX_CAUSES]);
    expect(causes[0]?.message).toBe(0);
  });

  it('gives no message the room of the judged one when that has no words', () => {
    const words = Array.from({ length: 20 }, (_, at) => word(`dog${at}`, at));
    const causes = causeWords([{ message: 1, words }], Array(20).fill(0), 2);
    expect(causes).toHaveLength(MAX_EARLIER_CAUSES);
  });

  it('counts a repeated word once in a message, where it is most salient', () => {
    const turns = [
      { message: 0, words: [word('dog', 0)] },
      { message: 1, words: ['dog', 'Dog', 'DOG', 'vet'].map((typed, at) => word(typed, at + 1)) },
    ];
    const causes = causeWords(turns, [0, 1, 2, 2, -1], 1);
    expect(causes.map(({ message, start }) => [message, start])).toEqual([
      [1, 2],
      [0, 0],
      [1, 4],
    ]);
  });

  it('keeps scores within 0 and 1 for logits of any size', () => {
    const words = [word('dog', 0), word('cat', 1)];
    const causes = causeWords([{ message: 0, words }], [1e30, -1e30], 0);
    expect(causes.map(({ score }) => score)).toEqual([1, 0]);
  });

  it('gives none where there is no word', () => {
    expect(causeWords([], [], -1)).toEqual([]);
  });
});
