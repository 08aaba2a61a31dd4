import { describe, expect, test } from 'vitest';
import { readEvent } from '../../src/api/events.ts';

function read(event: string, data: unknown) {
  return readEvent(event, JSON.stringify(data));
}

const LINE = {
  name: 'Crisis Text Line',
  kind: 'sms',
  contact: '741741',
  keyword: 'HOME',
  hours: '24 hours',
  country: 'US',
  audience: 'anyone',
  checked_on: '2026-11-30',
};

describe('an event of the stream', () => {
  test('affect keeps the order of the emotions', () => {
    const emotions = [
      { label: 'sad', probability: 0.6 },
      { label: 'lonely', probability: 0.2 },
    ];
    expect(read('affect', { emotions, causes: [], intensity: null, abstained: false })).toEqual({
      event: 'affect',
      emotions,
    });
  });

  test('affect of a classifier that abstained names no emotion', () => {
    const emotions = [{ label: 'sad', probability: 0.2 }];
    expect(read('affect', { emotions, abstained: true })).toEqual({
      event: 'affect',
      emotions: [],
    });
  });

  test('an emotion that this page has no word for is left out', () => {
    const emotions = [
      { label: 'saudade', probability: 0.6 },
      { label: 'sad', probability: 0.2 },
    ];
    expect(read('affect', { emotions })).toEqual({
      event: 'affect',
      emotions: [{ label: 'sad', probability: 0.2 }],
    });
  });

  test('safety carries the route, the lines and the disclosure', () => {
    const data = { level: 2, route: 'crisis', resources: [LINE], disclosure: 'This is an AI.' };
    expect(read('safety', data)).toEqual({
      event: 'safety',
      safety: { crisis: true, resources: [LINE], disclosure: 'This is an AI.' },
    });
  });

  test('one unreadable helpline does not hide the others', () => {
    const broken = [null, 7, {}, { ...LINE, contact: 112 }, { ...LINE, kind: 'pigeon' }];
    expect(read('safety', { route: 'crisis', resources: [...broken, LINE] })).toMatchObject({
      safety: { resources: [LINE] },
    });
  });

  test('done with a reason of a later version is still an end', () => {
    expect(read('done', { finish_reason: 'new_reason' })).toEqual({
      event: 'done',
      finish: 'stop',
    });
  });

  test.each([
    ['an unknown event', 'plan', '{"intent":null}'],
    ['a delta without text', 'delta', '{}'],
    ['broken JSON', 'delta', '{"text":'],
    ['JSON that is no object', 'done', '[1]'],
    ['a frame without a name', '', '{"text":"hi"}'],
  ])('%s is ignored', (_what, event, data) => {
    expect(readEvent(event, data)).toBeNull();
  });
});
