import { expect, it } from 'vitest';
import { compareHeads, type Heads } from '../../../bench/gpu/compare.ts';

const heads = (sad: number, asking: number): Heads => ({
  emotions: [
    { label: 'sad', probability: sad },
    { label: 'joyful', probability: 1 - sad },
  ],
  intents: [
    { label: 'questioning', probability: asking },
    { label: 'wishing', probability: 1 - asking },
  ],
});

it('equal readings are no distance apart', () => {
  expect(compareHeads([heads(0.7, 0.6)], [heads(0.7, 0.6)])).toEqual({
    conversations: 1,
    emotions: { max_abs: 0, mean_abs: 0, same_top: 1 },
    intents: { max_abs: 0, mean_abs: 0, same_top: 1 },
    rows: [{ emotions: 0, intents: 0 }],
  });
});

it('labels are matched by name, whatever their order', () => {
  const turned = { ...heads(0.75, 0.6), emotions: heads(0.75, 0.6).emotions.toReversed() };
  expect(compareHeads([heads(0.75, 0.6)], [turned]).emotions.max_abs).toBe(0);
});

it('the table has a row per conversation, and the summary its largest and mean distance', () => {
  const compared = compareHeads(
    [heads(0.75, 0.5), heads(0.5, 0.5)],
    [heads(0.25, 0.5), heads(0.5, 0.25)],
  );
  expect(compared.rows).toEqual([
    { emotions: 0.5, intents: 0 },
    { emotions: 0, intents: 0.25 },
  ]);
  expect(compared.emotions).toEqual({ max_abs: 0.5, mean_abs: 0.25, same_top: 1 });
  expect(compared.intents).toEqual({ max_abs: 0.25, mean_abs: 0.125, same_top: 1 });
});

it('readings of other conversations or other labels are refused, not compared', () => {
  expect(() => compareHeads([heads(0.5, 0.5)], [])).toThrow('not the same conversations');
  const other = { ...heads(0.5, 0.5), intents: [{ label: 'wishing', probability: 1 }] };
  expect(() => compareHeads([heads(0.5, 0.5)], [other])).toThrow('not the same labels');
});
