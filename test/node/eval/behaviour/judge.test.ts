import { describe, expect, it } from 'vitest';
import { judge } from '../../../../eval/behaviour/judge.ts';
import type { Reading } from '../../../../eval/behaviour/reading.ts';
import { emotionsAlone, itemOf, joyful, mute, one, sad, two, unsure } from './made.ts';

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
