import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CAPABILITIES, inputsOf, itemsOfHalf, parseItems } from '../../../eval/behaviour/items.ts';
import type { Reading } from '../../../eval/behaviour/reading.ts';
import { TRIVIAL_READERS } from '../../../eval/behaviour/trivial.ts';
import { figures, tableOf } from '../../../eval/behaviour.ts';
import { halfOf } from '../../../eval/dialogues.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import { groupsOf } from '../../../src/affect/groups.ts';
import { emotionsAlone, itemOf, one, sad, two, unsure } from './behaviour/made.ts';

const COMMITTED = fileURLToPath(new URL('../../../eval/data/behaviour.jsonl', import.meta.url));

describe('a file of items', () => {
  const good = '{"id":"a","capability":"typos","kind":"answers","input":"hi"}';

  it('gives a text as one message of the person, and both conversations of a pair', () => {
    const [item] = parseItems(`\n${good}\n`);
    expect(item === undefined ? [] : inputsOf(item)).toEqual([[{ role: 'user', content: 'hi' }]]);
    expect(inputsOf(itemOf({ kind: 'same', ...two }))).toHaveLength(2);
  });

  it.each([
    ['no JSON', '{broken'],
    ['an unknown kind', good.replace('answers', 'sometimes')],
    ['an unknown capability', good.replace('typos', 'telepathy')],
    ['a field of another kind', good.replace('}', ',"labels":["sad"]}')],
    ['a blank text', good.replace('hi', ' ')],
    ['a label outside the 32', good.replace('answers"', 'is","labels":["hungry"]')],
    ['an empty set', good.replace('answers"', 'is","labels":[]')],
    ['nothing said by the person', good.replace('"hi"', '[{"role":"assistant","content":"hi"}]')],
    ['an id that came before', good],
  ])('is refused with the line, not the text, on %s', (_, line) => {
    expect(() => parseItems(`${good}\n${line}`)).toThrow(/^line 2: [a-z ]+$/);
  });
});

describe('the committed behaviour set', async () => {
  const items = parseItems(await readFile(COMMITTED, 'utf8'));

  it('has more than 450 items, some for every capability, none judged twice', () => {
    expect(items.length).toBeGreaterThan(450);
    expect(new Set(items.map(({ capability }) => capability))).toEqual(new Set(CAPABILITIES));
    const expectations = items.map(({ id: _, ...rest }) => JSON.stringify(rest));
    expect(new Set(expectations).size).toBe(items.length);
  });

  it('falls into two halves by the hash of the id, with every capability in both', () => {
    const tune = itemsOfHalf(items, 'tune');
    const report = itemsOfHalf(items, 'report');
    expect(tune.length + report.length).toBe(items.length);
    expect(report.every(({ id }) => halfOf(id) === 'report')).toBe(true);
    for (const half of [tune, report]) {
      expect(new Set(half.map(({ capability }) => capability)).size).toBe(CAPABILITIES.length);
    }
    expect(itemsOfHalf(items, undefined)).toEqual(items);
  });

  it('keeps its promise of length in the very long items', () => {
    const long = items.filter(({ capability }) => capability === 'very_long');
    for (const [messages] of long.map(inputsOf)) {
      expect(messages?.[0]?.content.length).toBeGreaterThanOrEqual(800);
    }
  });

  it('only asks for cause words that stand in the conversation', () => {
    for (const item of items) {
      if (item.kind !== 'cause') continue;
      const said = item.input.map(({ content }) => content.toLowerCase()).join(' ');
      expect(item.words.filter((word) => !said.includes(word))).toEqual([]);
    }
  });
});

/** Columns of the readers that look at nothing. */
function trivial(abstaining: number, sad: number) {
  return { 'always abstains %': abstaining, 'always sad %': sad };
}

describe('E07 the readers that look at nothing', async () => {
  const items = parseItems(await readFile(COMMITTED, 'utf8'));
  const { always_abstains, always_sad } = TRIVIAL_READERS;
  const passedBy = (reading: Reading) =>
    figures(
      items,
      items.map((item) => inputsOf(item).map(() => reading)),
    ).passed;

  it('have the rates that a served reader of the same answers would have', () => {
    const { always_abstains: abstaining, always_sad: saying, n } = figures(items, []);
    expect(abstaining).toBe(passedBy(always_abstains) / n);
    expect(saying).toBe(passedBy(always_sad) / n);
    expect(abstaining).toBeGreaterThan(0);
  });

  it('say "sad", with which more is passed than with any other label', () => {
    const others = EMOTIONS.filter((label) => label !== 'sad').map((label) => {
      const row = EMOTIONS.map((name) => (name === label ? 1 : 0));
      return passedBy({
        ...always_sad,
        emotions: [{ label, probability: 1 }],
        groups: groupsOf(row),
      });
    });
    expect(Math.max(...others)).toBeLessThan(passedBy(always_sad));
  });
});

describe('the figures', () => {
  const items = [
    itemOf({ id: '1', capability: 'typos', kind: 'is', ...one, labels: ['sad'] }),
    itemOf({ id: '2', capability: 'typos', kind: 'answers', ...one }),
    itemOf({ id: '3', capability: 'cause', kind: 'cause', ...one, words: ['text'] }),
  ];
  const result = figures(items, [[sad], [unsure], [emotionsAlone]]);

  it('are pass rates, overall and by capability, with the ids that failed', () => {
    expect(result).toEqual({
      n: 3,
      passed: 1,
      rate: 1 / 3,
      always_abstains: 0,
      always_sad: 2 / 3,
      by_capability: {
        typos: { n: 2, passed: 1, rate: 0.5, abstained: 1, always_abstains: 0, always_sad: 1 },
        cause: { n: 1, passed: 0, rate: 0, abstained: 0, always_abstains: 0, always_sad: 0 },
      },
      failures: ['2', '3'],
    });
  });

  it('count an item without a reading as failed', () => {
    expect(figures(items, []).failures).toEqual(['1', '2', '3']);
  });

  it('have no rate without items', () => {
    expect(figures([], [])).toMatchObject({ n: 0, passed: 0, rate: null, by_capability: {} });
    expect(figures([], [])).toMatchObject({ always_abstains: null, always_sad: null });
  });

  it('make a table with a row per capability and the whole set last', () => {
    expect(Object.entries(tableOf(result))).toEqual([
      ['typos', { items: 2, passed: 1, 'rate %': 50, ...trivial(0, 100), abstained: 1 }],
      ['cause', { items: 1, passed: 0, 'rate %': 0, ...trivial(0, 0), abstained: 0 }],
      ['all', { items: 3, passed: 1, 'rate %': 33.3, ...trivial(0, 66.7) }],
    ]);
  });
});
