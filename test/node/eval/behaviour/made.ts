/** Items and readings made for the tests of the behaviour set. */
import { type Item, parseItems } from '../../../../eval/behaviour/items.ts';
import type { Reading } from '../../../../eval/behaviour/reading.ts';

export function itemOf(fields: object): Item {
  const line = JSON.stringify({ id: 'x-1', capability: 'negation', ...fields });
  const [item] = parseItems(line);
  if (item === undefined) throw new Error('no item');
  return item;
}

export const sad: Reading = {
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
export const joyful: Reading = {
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
export const unsure: Reading = { ...sad, abstained: true, abstain_reason: 'low_confidence' };
export const mute: Reading = {
  emotions: sad.emotions,
  abstained: true,
  abstain_reason: 'no_words',
  valence: null,
  intensity: null,
};
/** A model that gives emotions and nothing else. */
export const emotionsAlone: Reading = { emotions: sad.emotions, abstained: false };

export const one = { input: 'text' };
export const two = { a: 'text', b: 'other text' };
