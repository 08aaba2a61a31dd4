import { describe, expect, it } from 'vitest';
import { readJudgeDescription } from '../../../../eval/judge/description.ts';
import { type JudgedReply, judgeFigures } from '../../../../eval/judge/figures.ts';
import { judgeInput, levelsOf } from '../../../../eval/judge/layout.ts';

const DESCRIPTION = {
  ids: { cls: 4, sep: 5, speaker: 1, listener: 2 },
  seekerTokens: 3,
  responseTokens: 2,
};

describe('what the judge reads', () => {
  it('is the beginning of both texts with their marks, and a mask over the response', () => {
    const input = judgeInput({ seeker: [10, 11, 12, 13], response: [20, 21, 22] }, DESCRIPTION);
    expect(input.ids).toEqual([4, 1, 10, 11, 12, 2, 20, 21, 5]);
    expect(input.responseMask).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0]);
  });

  it('is never an empty response: its mark stays', () => {
    const input = judgeInput({ seeker: [], response: [] }, DESCRIPTION);
    expect(input).toEqual({ ids: [4, 1, 2, 5], responseMask: [0, 0, 1, 0] });
  });
});

describe('levels', () => {
  it('are the largest of three logits of each mechanism', () => {
    expect(levelsOf([0, 1, 2, 3, 1, 0, 0, 5, 1])).toEqual({ er: 2, ip: 0, ex: 1 });
  });
});

describe('figures of judged replies', () => {
  const reply = (conv_id: string, ours: number, human: number, valence: number): JudgedReply => ({
    conv_id,
    ours: {
      levels: { er: ours, ip: 0, ex: 0 },
      feeling: { valence, arousal: null },
    },
    human: {
      levels: { er: human, ip: 0, ex: 1 },
      feeling: { valence: 0, arousal: 0.5 },
    },
  });
  const replies = [reply('a', 2, 0, 1), reply('b', 1, 1, -1)];

  it('are mean levels, and mean squared differences to the human reply', () => {
    const { figures, ci95 } = judgeFigures(replies);
    expect(figures).toMatchObject({
      epitome_er: 1.5,
      epitome_er_human: 0.5,
      epitome_diff_er: 2,
      epitome_diff_ip: 0,
      epitome_diff_ex: 1,
      epitome_diff: 1,
    });
    expect(ci95).toMatchObject({ epitome_diff_ip: [0, 0], epitome_diff_er: [0, 4] });
  });

  it('have the spread of valence and arousal, where they could be read', () => {
    expect(judgeFigures(replies).figures).toMatchObject({
      valence_std: 1,
      valence_mean: 0,
      valence_human_std: 0,
      arousal_std: null,
      arousal_human_mean: 0.5,
    });
  });

  it('have an interval for the spread too, over the conversations that could be read', () => {
    const { figures, ci95 } = judgeFigures(replies);
    // Drawn twice, one conversation has no spread; both have that of the whole.
    expect(ci95).toMatchObject({
      valence_std: [0, 1],
      valence_mean: [-1, 1],
      valence_human_std: [0, 0],
      arousal_std: null,
      arousal_human_mean: [0.5, 0.5],
    });
    expect(Object.keys(ci95).toSorted()).toEqual(Object.keys(figures).toSorted());
  });

  it('are null without replies', () => {
    const { figures, ci95 } = judgeFigures([]);
    expect(new Set(Object.values(figures))).toEqual(new Set([null]));
    expect(new Set(Object.values(ci95))).toEqual(new Set([null]));
  });
});

describe('a description of another format', () => {
  it('is refused', () => {
    expect(() => readJudgeDescription({ format_version: 2 })).toThrow(/format_version/);
  });
});
