import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { examplesOf, inLabelOrder, type Predict, run, score } from '../../../eval/affect.ts';
import { type Dialogue, readDialogues } from '../../../eval/dialogues.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';

const SAMPLE = fileURLToPath(new URL('../../../eval/data/affect.sample.jsonl', import.meta.url));

const LOST: Dialogue = {
  conv_id: 'a',
  emotion: 'sad',
  turns: [
    { role: 'speaker', text: 'My cat is gone.' },
    { role: 'listener', text: 'Oh no. Since when?' },
    { role: 'speaker', text: 'Since Monday.' },
    { role: 'listener', text: 'I hope she comes back.' },
    { role: 'speaker', text: 'Me too.' },
  ],
};

/** All probability on one label. */
function always(emotion: string): Predict {
  return async (conversations) =>
    conversations.map(() => EMOTIONS.map((label) => (label === emotion ? 1 : 0)));
}

describe('examplesOf', () => {
  it('asks once per listener turn, from what was said before it', () => {
    const sad = EMOTIONS.indexOf('sad');
    expect(examplesOf([LOST])).toEqual([
      { label: sad, messages: [{ role: 'user', content: 'My cat is gone.' }] },
      {
        label: sad,
        messages: [
          { role: 'user', content: 'My cat is gone.' },
          { role: 'assistant', content: 'Oh no. Since when?' },
          { role: 'user', content: 'Since Monday.' },
        ],
      },
    ]);
  });

  it('E05 never shows the listener turn that is scored, nor what came after it', () => {
    const shown = examplesOf([LOST]).flatMap(({ messages }) => messages);
    expect(shown.map(({ content }) => content)).not.toContain('I hope she comes back.');
    expect(shown.map(({ content }) => content)).not.toContain('Me too.');
  });

  it('refuses a label that is not one of the 32', () => {
    expect(() => examplesOf([{ ...LOST, emotion: 'hungry' }])).toThrow(/^a: the label/);
  });
});

describe('score', () => {
  it('E06 E07 gives top-1, top-5, macro F1, calibration and the majority baseline', async () => {
    const dialogues = [
      LOST,
      { ...LOST, conv_id: 'b' },
      { ...LOST, conv_id: 'c', emotion: 'proud' },
    ];
    const figures = await score(examplesOf(dialogues), always('sad'));
    expect(figures).toEqual({
      n: 6,
      top1: expect.closeTo(4 / 6, 12),
      // Everything else is tied at 0, and `proud` is late in the alphabet.
      top5: expect.closeTo(4 / 6, 12),
      macro_f1: expect.closeTo((0.8 + 0) / 2, 12),
      ece: expect.closeTo(2 / 6, 12),
      majority_top1: expect.closeTo(4 / 6, 12),
    });
  });

  it('asks in batches that the API takes, in order', async () => {
    const sizes: number[] = [];
    const examples = Array.from({ length: 40 }, () => examplesOf([LOST])).flat();
    await score(examples, async (conversations) => {
      sizes.push(conversations.length);
      return always('sad')(conversations);
    });
    expect(sizes).toEqual([32, 32, 16]);
  });

  it('stops when a prediction is missing or of another length', async () => {
    await expect(score(examplesOf([LOST]), async () => [])).rejects.toThrow(/row of 32/);
    await expect(score(examplesOf([LOST]), async () => [[1], [1]])).rejects.toThrow(/row of 32/);
  });
});

describe('inLabelOrder', () => {
  it('undoes the ranking', () => {
    const row = inLabelOrder([
      { label: 'sad', probability: 0.7 },
      { label: 'afraid', probability: 0.3 },
    ]);
    expect(row[0]).toBe(0.3);
    expect(row[EMOTIONS.indexOf('sad')]).toBe(0.7);
    expect(row).toHaveLength(32);
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

  it('is scored by run, the first conversations only where a limit is given', async () => {
    const options = { data: SAMPLE, target: 'edge', predict: always('sad') } as const;
    const all = await run(options);
    const few = await run({ ...options, limit: 3 });
    expect(few.n).toBeGreaterThanOrEqual(3);
    expect(few.n).toBeLessThan(all.n);
    expect(all.majority_top1).toBeLessThan(0.1);
  });
});
