import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  CAPABILITIES,
  type Item,
  inputsOf,
  itemsOfHalf,
  parseItems,
} from '../../../eval/behaviour/items.ts';
import { judge } from '../../../eval/behaviour/judge.ts';
import type { Reading } from '../../../eval/behaviour/reading.ts';
import { TRIVIAL_READERS } from '../../../eval/behaviour/trivial.ts';
import { figures, tableOf } from '../../../eval/behaviour.ts';
import { halfOf } from '../../../eval/dialogues.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import { groupsOf } from '../../../src/affect/groups.ts';

const COMMITTED = fileURLToPath(new URL('../../../eval/data/behaviour.jsonl', import.meta.url));

function itemOf(fields: object): Item {
  const line = JSON.stringify({ id: 'x-1', capability: 'negation', ...fields });
  const [item] = parseItems(line);
  if (item === undefined) throw new Error('no item');
  return item;
}

const sad: Reading = {
  emotions: [
    { label: 'sad', probability: 0.5 },
    { label: 'lonely', probability: 0.3 },
    { label: 'devastated', probability: 0.1 },
    { label: 'joyful', probability: 0.1 },
  ],
  groups: {
    families: [
      { family: 'sadness', probability: 0.9 },
      { family: 'joy', probability: 0.1 },
    ],
    polarity: { positive: 0.1, negative: 0.9 },
  },
  abstained: false,
  abstain_reason: null,
  causes: [],
  valence: -0.4,
  arousal: -0.1,
  dominance: -0.2,
  intensity: 0.5,
  distress: 0.6,
  concern: 0.2,
  self_disclosure: 0.7,
};
const joyful: Reading = {
  ...sad,
  emotions: [
    { label: 'joyful', probability: 0.8 },
    { label: 'sad', probability: 0.2 },
  ],
  groups: {
    families: [
      { family: 'joy', probability: 0.8 },
      { family: 'sadness', probability: 0.2 },
    ],
    polarity: { positive: 0.8, negative: 0.2 },
  },
  valence: 0.5,
  intensity: 0.1,
};
const unsure: Reading = { ...sad, abstained: true, abstain_reason: 'low_confidence' };
const mute: Reading = {
  emotions: sad.emotions,
  abstained: true,
  abstain_reason: 'no_words',
  valence: null,
  intensity: null,
};
/** A model that gives emotions and nothing else. */
const emotionsAlone: Reading = { emotions: sad.emotions, abstained: false };

const one = { input: 'text' };
const two = { a: 'text', b: 'other text' };

describe('an item of one input', () => {
  it.each<[string, object, Reading, boolean]>([
    ['is', { labels: ['sad', 'devastated'] }, sad, true],
    ['is', { labels: ['lonely', 'devastated'] }, sad, false],
    ['is', { labels: ['sad'] }, unsure, false],
    ['top3', { labels: ['devastated', 'afraid'] }, sad, true],
    ['top3', { labels: ['joyful'] }, sad, false],
    ['top3', { labels: ['sad'] }, unsure, false],
    ['not', { labels: ['joyful', 'lonely'] }, sad, true],
    ['not', { labels: ['joyful', 'sad'] }, sad, false],
    ['not', { labels: ['sad'] }, unsure, true],
    ['not', { labels: ['joyful'] }, { ...sad, emotions: [] }, false],
    ['family', { families: ['fear', 'sadness'] }, sad, true],
    ['family', { families: ['joy'] }, sad, false],
    ['family', { families: ['sadness'] }, unsure, false],
    ['family', { families: ['sadness'] }, emotionsAlone, false],
    ['polarity', { polarity: 'negative' }, sad, true],
    ['polarity', { polarity: 'positive' }, sad, false],
    ['polarity', { polarity: 'negative' }, unsure, false],
    ['polarity', { polarity: 'negative' }, emotionsAlone, false],
    ['abstain', { reasons: ['no_words', 'language'] }, mute, true],
    ['abstain', { reasons: ['language'] }, mute, false],
    ['abstain', { reasons: ['no_words'] }, joyful, false],
    ['abstain', { reasons: ['no_words'], or_intensity_at_most: 0.1 }, joyful, true],
    ['abstain', { reasons: ['no_words'], or_intensity_at_most: 0.25 }, sad, false],
    ['abstain', { reasons: ['language'], or_intensity_at_most: 1 }, mute, false],
    ['abstain', { reasons: ['no_words'], or_intensity_at_most: 1 }, emotionsAlone, false],
    ['answers', {}, sad, true],
    ['answers', {}, unsure, false],
  ])('%s %j', (kind, fields, reading, expected) => {
    expect(judge(itemOf({ kind, ...one, ...fields }), [reading])).toBe(expected);
  });

  it('is not met without a reading', () => {
    expect(judge(itemOf({ kind: 'not', ...one, labels: ['joyful'] }), [])).toBe(false);
  });
});

describe('an item of cause words', () => {
  const said = 'The dog’s bowl: “Rex” 🐶 died, and my house is silent.';
  const spans = (...words: string[]) =>
    words.map((word) => ({
      message: 2,
      start: said.indexOf(word),
      end: said.indexOf(word) + word.length,
    }));
  const cause = itemOf({
    kind: 'cause',
    input: [
      { role: 'user', content: 'died, a long time ago' },
      { role: 'assistant', content: 'Who died?' },
      { role: 'user', content: said },
    ],
    words: ['died', 'rex'],
  });

  it('finds one of its words among the top three, in any case, without punctuation', () => {
    expect(judge(cause, [{ ...sad, causes: spans('bowl', 'house', 'died,') }])).toBe(true);
    expect(judge(cause, [{ ...sad, causes: spans('“Rex”') }])).toBe(true);
  });

  it('is not met by the fourth cause, by other words, by a span outside, or without causes', () => {
    const late = spans('bowl', 'house', 'silent', 'died');
    expect(judge(cause, [{ ...sad, causes: late }])).toBe(false);
    expect(judge(cause, [{ ...sad, causes: spans('house') }])).toBe(false);
    expect(judge(cause, [{ ...sad, causes: [{ message: 7, start: 0, end: 4 }] }])).toBe(false);
    expect(judge(cause, [sad])).toBe(false);
    expect(judge(cause, [emotionsAlone])).toBe(false);
  });

  it('reads the span in the message that it names', () => {
    const early = { message: 0, start: 0, end: 4 };
    expect(judge(cause, [{ ...sad, causes: [early] }])).toBe(true);
    expect(judge(cause, [{ ...sad, causes: [{ ...early, message: 1 }] }])).toBe(false);
  });
});

describe('an item of a pair', () => {
  it.each<[string, object, Reading, Reading, boolean]>([
    ['same', {}, sad, { ...sad, valence: 1 }, true],
    ['same', {}, sad, joyful, false],
    ['same', {}, unsure, mute, true],
    ['same', {}, sad, unsure, false],
    ['same', {}, emotionsAlone, emotionsAlone, false],
    ['same', { valence_within: 0.1 }, sad, { ...sad, valence: -0.45 }, true],
    ['same', { valence_within: 0.1 }, sad, { ...sad, valence: -0.55 }, false],
    ['same', { valence_within: 0.1 }, sad, { ...sad, valence: undefined }, false],
    ['same', { valence_within: 0.1 }, mute, mute, true],
    ['same', { valence_within: 0.1 }, mute, unsure, false],
    ['more', { of: { field: 'valence' }, margin: 0.1 }, joyful, sad, true],
    ['more', { of: { field: 'valence' }, margin: 0.1 }, sad, joyful, false],
    ['more', { of: { field: 'valence' }, margin: 0.95 }, joyful, sad, false],
    ['more', { of: { field: 'valence' }, margin: 0 }, joyful, mute, false],
    ['more', { of: { field: 'valence' }, margin: 0 }, joyful, emotionsAlone, false],
    ['more', { of: { labels: ['sad', 'joyful'] }, margin: 0.3 }, joyful, sad, true],
    ['more', { of: { labels: ['sad', 'joyful'] }, margin: 0.5 }, joyful, sad, false],
    ['more', { of: { labels: ['afraid'] }, margin: 0 }, joyful, sad, false],
    ['more', { of: { family: 'joy' }, margin: 0.5 }, joyful, sad, true],
    ['more', { of: { family: 'joy' }, margin: 0 }, joyful, emotionsAlone, false],
    ['more', { of: { polarity: 'positive' }, margin: 0.5 }, joyful, sad, true],
    ['more', { of: { polarity: 'positive' }, margin: 0.5 }, joyful, emotionsAlone, false],
    ['less', { of: { field: 'intensity' }, margin: 0.3 }, joyful, sad, true],
    ['less', { of: { field: 'intensity' }, margin: 0.5 }, joyful, sad, false],
    ['less', { of: { field: 'intensity' }, margin: 0 }, sad, joyful, false],
    ['less', { of: { field: 'intensity' }, margin: 0 }, emotionsAlone, sad, false],
  ])('%s %j', (kind, fields, a, b, expected) => {
    expect(judge(itemOf({ kind, ...two, ...fields }), [a, b])).toBe(expected);
  });

  it('is not met when the second was not read', () => {
    const quantity = { of: { field: 'valence' }, margin: 0 };
    expect(judge(itemOf({ kind: 'same', ...two }), [sad])).toBe(false);
    expect(judge(itemOf({ kind: 'more', ...two, ...quantity }), [sad])).toBe(false);
    expect(judge(itemOf({ kind: 'less', ...two, ...quantity }), [sad])).toBe(false);
  });
});

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
