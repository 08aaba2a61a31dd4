import { describe, expect, it, vi } from 'vitest';
import { layout, untilPerson } from '../../src/affect/layout.ts';
import type { DialogueTurn } from '../../src/affect/types.ts';

const CLS = 101;
const SEP = 102;
const PERSON = 1;
const OURS = 2;

/** Tokens are the numbers of the text. */
function numbers(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

const MARKS = { cls: CLS, sep: SEP, speaker: PERSON, listener: OURS };

/** The whole sequence with the places of the turns. */
function sequence(turns: readonly DialogueTurn[], maxTokens: number, tokens = numbers) {
  return layout(turns, { ids: MARKS, maxTokens, tokens, idOf: (id) => id });
}

function idsOf(turns: readonly DialogueTurn[], maxTokens: number, tokens = numbers): number[] {
  return sequence(turns, maxTokens, tokens).ids;
}

function user(text: string): DialogueTurn {
  return { role: 'user', text };
}

function assistant(text: string): DialogueTurn {
  return { role: 'assistant', text };
}

describe('layout', () => {
  it('puts a mark before each turn, oldest first', () => {
    const turns = [user('11 12'), assistant('21'), user('31')];
    expect(idsOf(turns, 20)).toEqual([CLS, PERSON, 11, 12, OURS, 21, PERSON, 31, SEP]);
  });

  it('E05 judges what the person said: turns after it are dropped', () => {
    const said = [user('11'), assistant('21'), user('31')];
    const answered = [...said, assistant('41'), assistant('51')];
    expect(idsOf(answered, 20)).toEqual(idsOf(said, 20));
  });

  it('has nothing to judge when only we spoke', () => {
    expect(idsOf([assistant('21')], 20)).toEqual([CLS, SEP]);
    expect(idsOf([], 20)).toEqual([CLS, SEP]);
  });

  it('keeps the latest words when the latest turn alone is too long', () => {
    expect(idsOf([user('11'), user('21 22 23 24')], 6)).toEqual([CLS, PERSON, 22, 23, 24, SEP]);
  });

  it('cuts the oldest turn that still fits in part', () => {
    const turns = [user('11 12 13'), assistant('21'), user('31')];
    expect(idsOf(turns, 8)).toEqual([CLS, PERSON, 13, OURS, 21, PERSON, 31, SEP]);
  });

  it('adds no mark where there is no room for a word after it', () => {
    const turns = [user('11'), assistant('21'), user('31')];
    expect(idsOf(turns, 7)).toEqual([CLS, OURS, 21, PERSON, 31, SEP]);
  });

  it('gives a turn without tokens no mark', () => {
    expect(idsOf([user('11'), assistant(''), user('31')], 20)).toEqual([
      CLS,
      PERSON,
      11,
      PERSON,
      31,
      SEP,
    ]);
  });

  it('never gets longer than the window, whatever the window', () => {
    const turns = [user('11 12 13'), assistant('21 22'), user('31 32 33')];
    for (let window = 4; window < 20; window += 1) {
      const ids = idsOf(turns, window);
      expect(ids.length).toBeLessThanOrEqual(window);
      expect(ids.at(-2)).toBe(33);
    }
  });

  it('says where the tokens of each message that is in the window stand', () => {
    const turns = [user('11 12 13'), assistant(''), assistant('21'), user('31'), assistant('41')];
    const { ids, turns: placed } = sequence(turns, 8);
    expect(placed).toEqual([
      { message: 0, tokens: [13], at: 2, cut: [11, 12] },
      { message: 2, tokens: [21], at: 4, cut: [] },
      { message: 3, tokens: [31], at: 6, cut: [] },
    ]);
    for (const { tokens, at } of placed) expect(ids.slice(at, at + tokens.length)).toEqual(tokens);
  });

  it('does not read turns that cannot be in the window', () => {
    const tokens = vi.fn(numbers);
    const old = Array.from({ length: 1_000 }, () => user('11 12 13'));
    idsOf([...old, user('31 32 33')], 10, tokens);
    expect(tokens.mock.calls.length).toBeLessThan(5);
  });
});

describe('untilPerson', () => {
  it('keeps everything up to the latest turn of the person', () => {
    const turns = [assistant('1'), user('2'), assistant('3')];
    expect(untilPerson(turns)).toEqual(turns.slice(0, 2));
    expect(untilPerson([assistant('1')])).toEqual([]);
  });
});
