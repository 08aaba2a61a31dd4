import { describe, expect, it, vi } from 'vitest';
import { type LayoutOptions, layout, untilPerson } from '../../src/affect/layout.ts';
import type { DialogueTurn } from '../../src/affect/types.ts';

const CLS = 101;
const SEP = 102;
const PERSON = 1;
const OURS = 2;

/** Tokens are the numbers of the text. */
function numbers(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function options(maxTokens: number, tokens: LayoutOptions['tokens'] = numbers): LayoutOptions {
  return { ids: { cls: CLS, sep: SEP, speaker: PERSON, listener: OURS }, maxTokens, tokens };
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
    expect(layout(turns, options(20))).toEqual([CLS, PERSON, 11, 12, OURS, 21, PERSON, 31, SEP]);
  });

  it('E05 judges what the person said: turns after it are dropped', () => {
    const said = [user('11'), assistant('21'), user('31')];
    const answered = [...said, assistant('41'), assistant('51')];
    expect(layout(answered, options(20))).toEqual(layout(said, options(20)));
  });

  it('has nothing to judge when only we spoke', () => {
    expect(layout([assistant('21')], options(20))).toEqual([CLS, SEP]);
    expect(layout([], options(20))).toEqual([CLS, SEP]);
  });

  it('keeps the latest words when the latest turn alone is too long', () => {
    expect(layout([user('11'), user('21 22 23 24')], options(6))).toEqual([
      CLS,
      PERSON,
      22,
      23,
      24,
      SEP,
    ]);
  });

  it('cuts the oldest turn that still fits in part', () => {
    const turns = [user('11 12 13'), assistant('21'), user('31')];
    expect(layout(turns, options(8))).toEqual([CLS, PERSON, 13, OURS, 21, PERSON, 31, SEP]);
  });

  it('adds no mark where there is no room for a word after it', () => {
    const turns = [user('11'), assistant('21'), user('31')];
    expect(layout(turns, options(7))).toEqual([CLS, OURS, 21, PERSON, 31, SEP]);
  });

  it('gives a turn without tokens no mark', () => {
    expect(layout([user('11'), assistant(''), user('31')], options(20))).toEqual([
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
      const ids = layout(turns, options(window));
      expect(ids.length).toBeLessThanOrEqual(window);
      expect(ids.at(-2)).toBe(33);
    }
  });

  it('does not read turns that cannot be in the window', () => {
    const tokens = vi.fn(numbers);
    const old = Array.from({ length: 1_000 }, () => user('11 12 13'));
    layout([...old, user('31 32 33')], options(10, tokens));
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
