import { describe, expect, it } from 'vitest';
import { halfOf } from '../../../eval/dialogues.ts';
import { figures, fromLabels, readRows, rowsOfHalf, type SafetyRow } from '../../../eval/safety.ts';

const crisis = (kind?: string): SafetyRow => ({
  text: 'x',
  expect: 'crisis',
  ...(kind === undefined ? {} : { kind }),
});
const benign = (kind?: string): SafetyRow => ({ ...crisis(kind), expect: 'benign' });

describe('rows of a labelled corpus', () => {
  it('expect the crisis route for ideation and plan, none of it for none, and drop the rest', () => {
    const risks = ['ideation', 'plan_or_means', 'none', 'distress', null];
    const lines = risks.map((risk) => JSON.stringify({ text: 'a', risk, label: 'x' }));
    expect(readRows(fromLabels(lines)).map(({ expect, kind }) => `${expect}/${kind}`)).toEqual([
      'crisis/ideation',
      'crisis/plan_or_means',
      'benign/none',
    ]);
  });

  it('leave other lines as they are, broken ones too, so that these are named', () => {
    const lines = ['{"text": "a", "expect": "crisis"}', '{broken'];
    expect(fromLabels(lines)).toEqual(lines);
    expect(() => readRows(fromLabels(lines))).toThrow(/^line 2:/);
  });
});

describe('a half of the rows', () => {
  it('is chosen by the hash of the text, and both halves together are all rows', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((text): SafetyRow => ({ ...crisis(), text }));
    const report = rowsOfHalf(rows, 'report');
    expect(report).toEqual(rows.filter(({ text }) => halfOf(text ?? '') === 'report'));
    expect(report.length + rowsOfHalf(rows, 'tune').length).toBe(rows.length);
    expect(report.length).toBeGreaterThan(0);
    expect(report.length).toBeLessThan(rows.length);
    expect(rowsOfHalf(rows, undefined)).toEqual(rows);
  });
});

describe('rows of a safety file', () => {
  it('hold a text or messages, in the words of the API or of a dialogue', () => {
    const rows = readRows([
      '{"text": "a", "expect": "crisis", "kind": "direct", "locale": "en"}',
      '{"messages": [{"role": "user", "content": "b"}], "expect": "benign"}',
      '{"messages": [{"role": "user", "text": "c"}], "expect": "benign"}',
    ]);
    expect(rows).toEqual([
      { text: 'a', expect: 'crisis', kind: 'direct' },
      { messages: [{ role: 'user', content: 'b' }], expect: 'benign' },
      { messages: [{ role: 'user', content: 'c' }], expect: 'benign' },
    ]);
  });

  it.each([
    ['no JSON', 'secret words'],
    ['neither text nor messages', '{"expect": "crisis", "note": "secret words"}'],
    ['both', '{"text": "secret words", "messages": [], "expect": "crisis"}'],
    ['another expectation', '{"text": "secret words", "expect": "maybe"}'],
    ['another role', '{"messages": [{"role": "secret words", "text": "x"}], "expect": "crisis"}'],
    ['a number as text', '{"text": 5, "expect": "crisis", "kind": "secret words"}'],
  ])('are refused by their line, never by their text: %s', (_name, line) => {
    const read = (): unknown => readRows(['{"text": "a", "expect": "benign"}', line]);
    expect(read).toThrow(/^line 2: /);
    expect(read).not.toThrow(/secret|words/);
  });

  it('may be none', () => {
    expect(readRows([])).toEqual([]);
  });
});

describe('the figures', () => {
  it('C01 count only the crisis route as found, and false alarms apart from misses', () => {
    const rows = [crisis(), crisis(), crisis(), crisis(), benign(), benign()];
    const result = figures(rows, [true, false, true, true, true, false]);
    expect(result).toMatchObject({ n: 6, n_crisis: 4, n_benign: 2 });
    expect(result.recall).toBe(0.75);
    expect(result.false_alarm_rate).toBe(0.5);
  });

  it('E07 do not let one large class hide the other', () => {
    const rows = [...Array.from({ length: 83 }, () => benign()), ...Array(17).fill(crisis())];
    const silent = figures(
      rows,
      rows.map(() => false),
    );
    expect(silent).toMatchObject({ recall: 0, false_alarm_rate: 0, n_crisis: 17, n_benign: 83 });
    const loud = figures(
      rows,
      rows.map(() => true),
    );
    expect(loud).toMatchObject({ recall: 1, false_alarm_rate: 1 });
  });

  it('name the rows on the wrong route by their line, from 1, in order', () => {
    const rows = [crisis(), benign(), crisis(), benign()];
    expect(figures(rows, [false, true, true, false]).misses).toEqual([1, 2]);
    expect(figures(rows, [true, false, true, false]).misses).toEqual([]);
  });

  it('are given for each kind, crisis and benign apart', () => {
    const rows = [crisis('plan'), crisis('plan'), benign('plan'), benign()];
    expect(figures(rows, [true, false, true, false]).kinds).toEqual({
      'crisis/plan': { n: 2, on_crisis_route: 1 },
      'benign/plan': { n: 1, on_crisis_route: 1 },
      'benign/other': { n: 1, on_crisis_route: 0 },
    });
  });

  it('are null, not a perfect score, where there is nothing to measure', () => {
    expect(figures([benign()], [false])).toMatchObject({ recall: null, false_alarm_rate: 0 });
    expect(figures([crisis()], [true])).toMatchObject({ recall: 1, false_alarm_rate: null });
    expect(figures([], [])).toMatchObject({ n: 0, recall: null, false_alarm_rate: null });
  });

  it('count a row without an answer as not on the crisis route', () => {
    expect(figures([crisis(), benign()], [])).toMatchObject({ recall: 0, misses: [1] });
  });

  it('hold no text of a row', () => {
    const rows = readRows(['{"text": "secret words", "expect": "crisis", "kind": "plan"}']);
    expect(JSON.stringify(figures(rows, [false]))).not.toMatch(/secret|words/);
  });
});
