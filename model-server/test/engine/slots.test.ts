import { describe, expect, it } from 'vitest';
import { EMOTIONS as EDGE_EMOTIONS } from '../../../src/affect/emotions.ts';
import { EMOTIONS, findSlots, INTENTS } from '../../src/engine/slots.ts';

const vocabulary = [
  '<|im_start|>',
  '<|im_end|>',
  '<|affect|>',
  '<|intent|>',
  '<|judge|>',
  '<|good|>',
  '<|bad|>',
  ...EMOTIONS.map((name) => `<|emo:${name}|>`),
  ...INTENTS.map((name) => `<|int:${name}|>`),
  '<|int:any|>',
];
const find = (texts: readonly string[]) => (text: string) => {
  const index = texts.indexOf(text);
  return index < 0 ? undefined : index;
};

describe('the slot vocabulary', () => {
  it('has the labels of the edge model in the same order', () => {
    expect(EMOTIONS).toEqual(EDGE_EMOTIONS);
  });

  it('is found by text wherever the tokens are', () => {
    const shuffled = vocabulary.toReversed();
    const slots = findSlots(find(shuffled));
    expect(slots.ok && slots.value.affect).toBe(shuffled.indexOf('<|affect|>'));
    expect(slots.ok && slots.value.emotions.get('proud')).toBe(shuffled.indexOf('<|emo:proud|>'));
    expect(slots.ok && [slots.value.intents.size, slots.value.steering.size]).toEqual([9, 10]);
  });

  it('names every token that is missing, once', () => {
    const lacking = vocabulary.filter((text) => text !== '<|judge|>' && text !== '<|int:neutral|>');
    const slots = findSlots(find(lacking));
    expect(slots.ok ? [] : slots.failure.missing).toEqual(['<|judge|>', '<|int:neutral|>']);
  });
});
