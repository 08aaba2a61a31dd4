import { describe, expect, it } from 'vitest';
import { fromDialogues, fromReccon } from '../../../../eval/causes/reccon.ts';
import sample from '../../../../eval/data/reccon.sample.json' with { type: 'json' };

describe("RECCON's format", () => {
  const { cases, said } = fromReccon(sample);
  const texts = cases.map(({ messages, gold }) =>
    gold.map(({ start, end }) => messages.at(-1)?.content.slice(start, end)),
  );

  it('gives the emotional utterances that hold their own cause, with its place', () => {
    expect(texts).toEqual([
      ['My bike was stolen in front of the library'],
      ['I saved for it the whole summer', 'walk home in the rain'],
      ['My sister passed her driving test'],
      ['so did she ?'],
      ['the waves are far too high'],
    ]);
  });

  it('leaves out causes elsewhere, in the background, and spans that were not copied', () => {
    const asked = cases.map(({ messages }) => messages.at(-1)?.content);
    expect(asked).not.toContain('That is terrible .');
    expect(asked).not.toContain('Then we stay and bake bread .');
  });

  it('shows the conversation up to the utterance, its speaker as the user', () => {
    expect(cases[1]?.messages.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(cases[0]?.messages).toHaveLength(2);
  });

  it('keeps every utterance for counting words, and takes the first dialogues of a limit', () => {
    expect(said).toHaveLength(10);
    const first = fromReccon(sample, 1);
    expect(new Set(first.said.map(({ dialogue }) => dialogue))).toEqual(
      new Set(['self-written:1']),
    );
    expect(first.cases).toHaveLength(2);
  });

  it('is refused without a word of the file where it is another format', () => {
    expect(() => fromReccon({ a: [{ secret: 1 }] })).toThrow(
      /^the file is not in RECCON's format$/,
    );
  });
});

describe('conversations with causes', () => {
  const dialogue = {
    conv_id: 'a',
    emotion: 'sad',
    turns: [
      { role: 'speaker' as const, text: 'My cat is gone.' },
      { role: 'listener' as const, text: 'Since when?' },
      { role: 'speaker' as const, text: 'Monday.' },
    ],
    causes: [
      { turn: 0, start: 3, end: 6 },
      { turn: 0, start: 10, end: 14 },
      { turn: 1, start: 0, end: 5 },
    ],
  };

  it('ask at each speaker turn that holds some, with what was said up to it', () => {
    expect(fromDialogues([dialogue]).cases).toEqual([
      {
        dialogue: 'a',
        messages: [{ role: 'user', content: 'My cat is gone.' }],
        gold: [
          { turn: 0, start: 3, end: 6 },
          { turn: 0, start: 10, end: 14 },
        ],
      },
    ]);
  });

  it('ask nothing where there are none', () => {
    const { causes: _none, ...bare } = dialogue;
    expect(fromDialogues([bare])).toMatchObject({ cases: [] });
    expect(fromDialogues([bare]).said).toHaveLength(3);
  });
});
