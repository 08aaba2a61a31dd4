import { describe, expect, it } from 'vitest';
import type { Dialogue } from '../../../eval/dialogues.ts';
import { examplesOf, saidIn, situationsOf, trainingTexts } from '../../../eval/examples.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';

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

const sad = EMOTIONS.indexOf('sad');

describe('histories', () => {
  it('are asked once per listener turn, with what was said before it', () => {
    expect(examplesOf([LOST])).toEqual([
      { conv_id: 'a', label: sad, messages: [{ role: 'user', content: 'My cat is gone.' }] },
      {
        conv_id: 'a',
        label: sad,
        messages: [
          { role: 'user', content: 'My cat is gone.' },
          { role: 'assistant', content: 'Oh no. Since when?' },
          { role: 'user', content: 'Since Monday.' },
        ],
      },
    ]);
  });

  it('E05 never show the listener turn that is scored, nor what came after it', () => {
    const shown = examplesOf([LOST]).flatMap(({ messages }) => messages);
    expect(shown.map(({ content }) => content)).not.toContain('I hope she comes back.');
    expect(shown.map(({ content }) => content)).not.toContain('Me too.');
  });

  it('have no blank turn, and none at all where only blanks were said', () => {
    const blank = {
      ...LOST,
      turns: [{ role: 'speaker' as const, text: ' ' }, ...LOST.turns.slice(1, 2)],
    };
    expect(examplesOf([blank])).toEqual([]);
  });

  it('refuse a label that is not one of the 32', () => {
    expect(() => examplesOf([{ ...LOST, emotion: 'hungry' }])).toThrow(/^a: the label/);
  });
});

describe('situations', () => {
  it('are one message each, and left out where there is none', () => {
    const { situation: _none, ...bare } = LOST;
    expect(situationsOf([LOST, bare, { ...LOST, situation: '' }])).toEqual([
      { conv_id: 'a', label: sad, messages: [{ role: 'user', content: 'My cat ran away.' }] },
    ]);
  });
});

describe('what the bag of words reads', () => {
  it('is what the person said, not the listener', () => {
    const [, second] = examplesOf([LOST]);
    if (second === undefined) throw new Error('there is no second example');
    expect(saidIn(second)).toBe('My cat is gone.\nSince Monday.');
  });

  it('learns from all speaker turns and from the situation', () => {
    expect(trainingTexts([LOST])).toEqual([
      { label: sad, text: 'My cat is gone.\nSince Monday.\nMe too.' },
      { label: sad, text: 'My cat ran away.' },
    ]);
  });
});
