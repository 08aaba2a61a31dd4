import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../../../eval/affect.ts';
import { emotionsOnly, type Read } from '../../../eval/ask.ts';
import { type Dialogue, readDialogues } from '../../../eval/dialogues.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';

const SAMPLE = fileURLToPath(new URL('../../../eval/data/affect.sample.jsonl', import.meta.url));

const LOST: Dialogue = {
  conv_id: 'a',
  emotion: 'sad',
  situation: 'My cat ran away.',
  turns: [
    { role: 'speaker', text: 'My cat is gone.' },
    { role: 'listener', text: 'Oh no. Since when?' },
    { role: 'speaker', text: 'Since Monday.' },
    { role: 'listener', text: 'I hope she comes back.' },
    { role: 'speaker', text: 'Me too.' },
  ],
};

/** Sure of one label whatever is said; abstains from messages that hold `doubt`. */
function always(emotion: string, doubt = '\u0000'): Read {
  return async (conversations) =>
    conversations.map((messages) => ({
      ...emotionsOnly(EMOTIONS.map((label) => (label === emotion ? 1 : 0))),
      abstained: messages.at(-1)?.content.includes(doubt) ?? false,
    }));
}

async function fileOf(...dialogues: object[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'attune-')), 'valid.jsonl');
  await writeFile(file, dialogues.map((dialogue) => JSON.stringify(dialogue)).join('\n'));
  return file;
}

const THREE = [LOST, { ...LOST, conv_id: 'b' }, { ...LOST, conv_id: 'c', emotion: 'furious' }];

describe('the figures', () => {
  it('E06 E07 are top-1, top-5, macro F1 and calibration with the majority beside them', async () => {
    const data = await fileOf(...THREE);
    const { figures } = await run({ data, target: 'edge', read: always('sad') });
    expect(figures).toMatchObject({
      target: 'edge',
      n: 6,
      top1: expect.closeTo(4 / 6, 12),
      // Everything else is tied at 0, and `furious` is not among the first five of the alphabet.
      top5: expect.closeTo(4 / 6, 12),
      macro_f1: expect.closeTo((0.8 + 0) / 2, 12),
      ece: expect.closeTo(2 / 6, 12),
      majority_top1: expect.closeTo(4 / 6, 12),
    });
  });

  it('judge families and polarity too, with their majorities', async () => {
    const data = await fileOf(...THREE, { ...LOST, conv_id: 'd', emotion: 'lonely' });
    const { figures } = await run({ data, target: 'edge', read: always('sad') });
    expect(figures).toMatchObject({
      top1: 0.5,
      // Sad and lonely are one family; anger is as negative.
      family_top1: 0.75,
      family_majority_top1: 0.75,
      polarity_top1: 1,
      polarity_majority_top1: 1,
    });
  });

  it('ask each situation once, as the only message', async () => {
    const asked: string[] = [];
    const { situation: _none, ...bare } = LOST;
    const data = await fileOf(...THREE, { ...bare, conv_id: 'd' });
    const { figures } = await run({
      data,
      target: 'edge',
      read: async (conversations) => {
        asked.push(...conversations.flatMap((messages) => messages.map(({ content }) => content)));
        return always('furious')(conversations);
      },
    });
    expect(asked.filter((content) => content === LOST.situation)).toHaveLength(3);
    expect(figures).toMatchObject({
      n: 8,
      situation_n: 3,
      situation_top1: expect.closeTo(1 / 3, 12),
      situation_ece: expect.closeTo(2 / 3, 12),
    });
  });

  it('say how often it abstains, and how often it is right when it does not', async () => {
    const data = await fileOf(...THREE);
    const read = always('sad', 'Monday');
    const { figures } = await run({ data, target: 'edge', read });
    expect(figures.abstained_share).toBe(0.5);
    expect(figures.not_abstained_top1).toBeCloseTo(2 / 3, 12);
    const silent = await run({ data, target: 'edge', read: always('sad', '') });
    expect(silent.figures).toMatchObject({ abstained_share: 1, not_abstained_top1: null });
  });

  it('carry an interval over conversations for every share of right answers', async () => {
    const data = await fileOf(...THREE);
    const { figures } = await run({ data, target: 'edge', read: always('sad') });
    const [low, high] = figures.ci95['top1'] ?? [];
    expect(low).toBeLessThan(4 / 6);
    expect(high).toBeGreaterThan(4 / 6);
    expect(figures.ci95).toMatchObject({ polarity_top1: [1, 1], bow_top1: null });
  });

  it('are given for each label', async () => {
    const { labels } = await run({
      data: await fileOf(...THREE),
      target: 'edge',
      read: always('sad'),
    });
    expect(labels).toEqual([
      { label: 'furious', n: 2, precision: 0, recall: 0, f1: 0 },
      { label: 'sad', n: 4, precision: expect.closeTo(4 / 6, 12), recall: 1, f1: 0.8 },
    ]);
  });

  it('have recall of cause words only where the data has causes', async () => {
    const read = always('sad');
    const without = await run({ data: await fileOf(LOST), target: 'edge', read });
    expect(without.figures).not.toHaveProperty('cause_recall1');
    const causes = [{ turn: 0, start: 3, end: 14 }];
    const data = await fileOf({ ...LOST, causes });
    const naming: Read = async (conversations) =>
      (await read(conversations)).map((reading) => ({
        ...reading,
        causes: [{ message: 0, start: 3, end: 6 }],
      }));
    const { figures } = await run({ data, target: 'edge', read: naming });
    // "cat" and "gone" are wanted, "cat" is found.
    expect(figures).toMatchObject({
      cause_n: 1,
      cause_recall1: 0.5,
      cause_recall5: 0.5,
      cause_oracle_recall1: 0.5,
      cause_oracle_recall5: 1,
    });
  });
});

describe('the bag of words', () => {
  const won = {
    emotion: 'proud',
    situation: 'we won again',
    turns: [{ role: 'speaker', text: 'we won' }],
  };
  const training = [
    { ...LOST, conv_id: 't1' },
    { ...won, conv_id: 't2' },
    { ...won, conv_id: 't3' },
  ];

  it('is judged on the same turns and situations', async () => {
    const options = {
      data: await fileOf(...THREE),
      train: await fileOf(...training),
      target: 'edge',
      read: always('furious'),
    } as const;
    const { figures } = await run(options);
    expect(figures.bow_top1).toBeCloseTo(4 / 6, 12);
    expect(figures.bow_situation_top1).toBeCloseTo(2 / 3, 12);
    expect(figures.ci95['bow_top1']).toHaveLength(2);
  });

  it('is null without training data, and never learns what it is asked', async () => {
    const data = await fileOf(...THREE);
    const asked = { data, target: 'edge', read: always('sad') } as const;
    expect((await run(asked)).figures).toMatchObject({ bow_top1: null, bow_situation_top1: null });
    expect((await run({ ...asked, train: data })).figures.bow_top1).toBeNull();
  });

  it('never learns the conversations that it is asked, whichever file they stand in', async () => {
    const asked = { data: await fileOf(...THREE), target: 'edge', read: always('sad') } as const;
    const copy = await fileOf(...THREE.map((dialogue) => ({ ...dialogue, emotion: 'proud' })));
    expect((await run({ ...asked, train: copy })).figures.bow_top1).toBeNull();
    const more = await fileOf(...THREE.map((one) => ({ ...one, emotion: 'proud' })), ...training);
    const alone = await fileOf(...training);
    const { figures } = await run({ ...asked, train: more });
    expect(figures.bow_top1).toBe((await run({ ...asked, train: alone })).figures.bow_top1);
    expect(figures.bow_top1).toBeGreaterThan(0);
  });
});

describe('a run', () => {
  it('stops on a label that is not one of the 32', async () => {
    const data = await fileOf({ ...LOST, emotion: 'hungry' });
    await expect(run({ data, target: 'edge', read: always('sad') })).rejects.toThrow(
      /^a: the label/,
    );
  });

  it('stops when a prediction is missing or of another length', async () => {
    const data = await fileOf(LOST);
    const target = 'edge';
    await expect(run({ data, target, read: async () => [] })).rejects.toThrow(/row of 32/);
    const short: Read = async (asked) => asked.map(() => emotionsOnly([1]));
    await expect(run({ data, target, read: short })).rejects.toThrow(/row of 32/);
  });

  it('takes the first conversations only where a limit is given', async () => {
    const options = { data: SAMPLE, target: 'edge', read: always('sad') } as const;
    const all = await run(options);
    const few = await run({ ...options, limit: 3 });
    expect(few.figures.situation_n).toBe(3);
    expect(few.figures.n).toBeLessThan(all.figures.n);
    expect(all.figures.majority_top1).toBeLessThan(0.1);
  });
});

describe('the committed sample', () => {
  it('has conversations of many emotions in the right shape', async () => {
    const dialogues = await readDialogues(SAMPLE);
    expect(dialogues.length).toBeGreaterThanOrEqual(40);
    expect(new Set(dialogues.map(({ emotion }) => emotion)).size).toBe(32);
    expect(new Set(dialogues.map(({ conv_id }) => conv_id)).size).toBe(dialogues.length);
    for (const { turns } of dialogues) expect(turns[0]?.role).toBe('speaker');
  });
});
