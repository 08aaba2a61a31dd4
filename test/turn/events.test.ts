import { describe, expect, it } from 'vitest';
import { nothingRead } from '../../src/affect/reading.ts';
import type { Reading } from '../../src/affect/types.ts';
import { affectEvent } from '../../src/turn/events.ts';

const READING: Reading = {
  ...nothingRead(),
  abstained: false,
  intensity: 0.4,
  causes: [
    { message: 2, start: 3, end: 6, score: 0.9 },
    { message: 0, start: 0, end: 4, score: 0.8 },
    { message: 2, start: 7, end: 11, score: 0.7 },
  ],
};

describe('the affect event', () => {
  it('tells the five likeliest emotions, how strong they are, and why', () => {
    expect(affectEvent({ reading: READING, message: 2 })).toEqual({
      event: 'affect',
      data: {
        emotions: READING.emotions.slice(0, 5),
        causes: [
          { start: 3, end: 6, score: 0.9 },
          { start: 7, end: 11, score: 0.7 },
        ],
        intensity: 0.4,
        abstained: false,
      },
    });
  });

  it('tells no causes in messages that are not on the screen of this turn', () => {
    const event = affectEvent({ reading: READING, message: 4 });
    expect(event).toMatchObject({ data: { causes: [] } });
  });

  it('says that nothing could be read', () => {
    const event = affectEvent({ reading: nothingRead(), message: 0 });
    expect(event).toMatchObject({ data: { causes: [], intensity: null, abstained: true } });
  });
});
