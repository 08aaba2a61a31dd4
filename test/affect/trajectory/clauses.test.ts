import { describe, expect, it } from 'vitest';
import { type Clause, clausesOf } from '../../../src/affect/trajectory/clauses.ts';
import { CONTROL_STRINGS, WELL_FORMED } from '../../support/adversarial-strings.ts';
import { MARKED, MISSED } from './clause-table.ts';

/** A marked message back to its text and spans. */
function unmark(marked: string): { readonly text: string; readonly spans: readonly Clause[] } {
  const spans: Clause[] = [];
  let text = '';
  let start = 0;
  for (const char of marked) {
    if (char === '{' || char === '[') start = text.length;
    else if (char === '}') spans.push({ start, end: text.length, time: 'past' });
    else if (char === ']') spans.push({ start, end: text.length, time: 'present' });
    else text += char;
  }
  return { text, spans };
}

/** The marks again, neighbours of the same time as one. */
function mark(text: string, clauses: readonly Clause[]): string {
  const runs: Clause[] = [];
  for (const clause of clauses) {
    const last = runs.at(-1);
    if (last?.time === clause.time) runs.splice(-1, 1, { ...last, end: clause.end });
    else runs.push(clause);
  }
  return runs
    .map(({ start, end, time }) => {
      const said = text.slice(start, end);
      return time === 'past' ? `{${said}}` : `[${said}]`;
    })
    .join(' ');
}

function again(marked: string): string {
  const { text, spans } = unmark(marked);
  return mark(text, spans);
}

describe('clausesOf', () => {
  it.each(MARKED)('marks %s', (marked) => {
    expect(mark(unmark(marked).text, clausesOf(unmark(marked).text))).toBe(again(marked));
  });

  it.each(MISSED)('does not yet mark $wanted', ({ wanted, found }) => {
    const { text } = unmark(wanted);
    expect(mark(text, clausesOf(text))).toBe(found);
    expect(found).not.toBe(again(wanted));
  });

  it('gives UTF-16 offsets in the text as it was typed', () => {
    const text = '😀 I was sad.\n\n  But İ’m fine now 👍🏿!';
    const clauses = clausesOf(text);
    expect(clauses.map(({ start, end }) => text.slice(start, end))).toEqual([
      'I was sad.',
      'But İ’m fine now 👍🏿!',
    ]);
    expect(clauses.map(({ time }) => time)).toEqual(['past', 'present']);
  });

  it('reads curly, straight and missing apostrophes alike', () => {
    for (const text of ["I didn't cry", 'I didn’t cry', 'i didnt cry']) {
      expect(clausesOf(text).map(({ time }) => time)).toEqual(['past']);
    }
    for (const text of ["I've been sad", 'I’ve been sad', 'ive been sad']) {
      expect(clausesOf(text).map(({ time }) => time)).toEqual(['present']);
    }
  });

  it.each(['', '   \n', '…', '😀', '\u0000'])(
    'finds no clause where there is no word: %j',
    (text) => {
      expect(clausesOf(text)).toEqual([]);
    },
  );

  it.each([...WELL_FORMED, ...CONTROL_STRINGS, '\uD800 I was \uDC00 sad'])(
    'covers every letter once, in order: %j',
    (text) => {
      let behind = 0;
      for (const { start, end } of clausesOf(text)) {
        expect(text.slice(behind, start)).not.toMatch(/[\p{L}\p{N}]/u);
        expect(end).toBeGreaterThan(start);
        behind = end;
      }
      expect(text.slice(behind)).not.toMatch(/[\p{L}\p{N}]/u);
    },
  );

  it('T06 takes one endless word, endless clauses, endless words without a verb', () => {
    expect(clausesOf('a'.repeat(50_000))).toEqual([{ start: 0, end: 50_000, time: 'present' }]);
    expect(clausesOf('I was sad. '.repeat(5_000))).toHaveLength(5_000);
    expect(clausesOf('a '.repeat(25_000))).toHaveLength(1);
    expect(clausesOf("'’".repeat(25_000))).toEqual([]);
    expect(clausesOf('and '.repeat(12_500))).toHaveLength(1);
  });
});
