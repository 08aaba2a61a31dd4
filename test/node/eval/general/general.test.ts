import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDialogues } from '../../../../eval/dialogues.ts';
import { generalFigures, tableOf } from '../../../../eval/general/figures.ts';
import { KINDS, parseItems } from '../../../../eval/general/items.ts';
import { faultOf, isLoop } from '../../../../eval/general/judge.ts';
import { run } from '../../../../eval/general/run.ts';
import { pretending } from '../support/model-server.ts';

const ROOT = new URL('../../../../', import.meta.url);
const COMMITTED = fileURLToPath(new URL('eval/general/items.jsonl', ROOT));
const LEARNED = fileURLToPath(new URL('model-server/training/lm/persona.jsonl', ROOT));

/** Case, punctuation and the width of blanks do not make another question. */
function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('an answer', () => {
  it.each([
    ['empty', ' …'],
    ['control_string', 'Hello <|im_end|>'],
    ['control_string', '[INST] hello'],
    ['loop', 'I am I am I am I am'],
    ['forbidden', 'Paris, no, London'],
    ['missing', 'Rome'],
    [null, 'It is paris.'],
  ])('is judged %s', (fault, answer) => {
    expect(faultOf({ some: ['\\bparis\\b'], none: ['london'] }, answer)).toBe(fault);
  });

  it('passes without patterns when its form is good, and with curly quotes', () => {
    expect(faultOf({}, 'Whatever.')).toBeNull();
    expect(faultOf({ some: ["i'm"] }, 'I’m here')).toBeNull();
  });
});

describe('a loop', () => {
  it('is the same words four times in a row, and not three times', () => {
    expect(isLoop('no no no no')).toBe(true);
    expect(isLoop('no no no')).toBe(false);
    expect(isLoop('so sorry, so sorry, so sorry. So sorry!')).toBe(true);
    expect(isLoop('I see you and I hear you and I see you and I hear you')).toBe(false);
  });
});

describe('the committed general set', async () => {
  const items = parseItems(await readFile(COMMITTED, 'utf8'));

  it('has 60 items or more, some of every kind', () => {
    expect(items.length).toBeGreaterThanOrEqual(60);
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  it('asks nothing in the words of the persona dialogues that the model learned', async () => {
    const learned = new Set(
      (await readDialogues(LEARNED)).flatMap(({ turns }) =>
        turns.flatMap(({ role, text }) => (role === 'speaker' ? [bare(text)] : [])),
      ),
    );
    expect(learned).toContain('who made you');
    const asked = items.flatMap(({ id, ask }) =>
      ask.flatMap(({ role, content }) => (role === 'user' ? [{ id, text: bare(content) }] : [])),
    );
    expect(asked.filter(({ text }) => learned.has(text))).toEqual([]);
  });

  it('passes for someone who says what it is', () => {
    const figures = generalFigures(
      items,
      items.map(() => "I'm Attune, an AI, so no, I don't have that."),
    );
    expect(figures.persona.rate).toBe(1);
    expect(figures.by_kind.form?.rate).toBe(1);
    expect(figures.by_kind.facts?.rate).toBe(0);
  });

  it('fails for someone who claims to be human', () => {
    const persona = items.filter(({ kind }) => ['human', 'name', 'what_it_is'].includes(kind));
    const figures = generalFigures(
      persona,
      persona.map(() => "Yes, I'm a real person! My name is Emma."),
    );
    expect(figures.rate).toBe(0);
  });

  it.each([
    ['family', 'Yes, my wife and I have two kids.'],
    ['body', 'I had eggs for breakfast, I am 34 years old and I live in Ohio.'],
  ])('fails for someone who makes up a life: %s', (kind, answer) => {
    const mine = items.filter((item) => item.kind === kind);
    expect(
      generalFigures(
        mine,
        mine.map(() => answer),
      ).rate,
    ).toBe(0);
  });
});

describe('a file of items', () => {
  const good = '{"id":"a","kind":"facts","ask":"hi","some":["x"]}';

  it.each([
    ['no JSON', '{broken'],
    ['an unknown kind', good.replace('facts', 'magic')],
    ['a broken pattern', good.replace('"x"', '"("')],
    ['nothing asked', good.replace('"hi"', '" "')],
    [
      'a conversation that ends on us',
      good.replace('"hi"', '[{"role":"assistant","content":"y"}]'),
    ],
    ['an id that came before', good],
  ])('is refused with the line on %s', (_, line) => {
    expect(() => parseItems(`${good}\n${line}`)).toThrow(/^line 2: [a-z ]+$/);
  });
});

describe('a run', () => {
  it('asks every item with its own seed, and names its failures', async () => {
    const { served, asked } = await pretending(() => ({
      choices: [{ message: { content: 'My name is Attune.' } }],
    }));
    const figures = await run({ served, limit: 10 });
    await served.close();
    expect(asked).toHaveLength(10);
    expect(asked.map(({ body }) => body.seed).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(figures.n).toBe(10);
    expect(figures.by_kind.name?.rate).toBe(1);
    expect(figures.failures.map(({ fault }) => fault)).toEqual(['missing', 'missing', 'missing']);
    expect(Object.keys(tableOf(figures))).toEqual([
      'name',
      'what_it_is',
      'persona',
      'ability',
      'all',
    ]);
  });
});
