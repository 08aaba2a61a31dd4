import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../eval/rank.ts';
import { questionsOf } from '../../../eval/rank-blocks.ts';
import { judgeMassFigures, orderFigures, type Ranked, within } from '../../../eval/rank-figures.ts';
import { type ListenerTurn, listenerTurns } from '../../../eval/turns.ts';
import { pretending } from './support/model-server.ts';

function turns(count: number): ListenerTurn[] {
  return Array.from({ length: count }, (_, index) => ({
    conv_id: `c${Math.floor(index / 2)}`,
    turn: 1,
    messages: [{ role: 'user', content: `m${index}` }],
    reply: `r${index}`,
    intent: undefined,
  }));
}

describe('blocks', () => {
  it('have 100 contexts and the replies of just these; what is left over is not asked', () => {
    const questions = questionsOf(turns(250), { blocks: 5, shuffle: true });
    expect(questions).toHaveLength(200);
    for (const { messages, candidates, truth, distractor } of questions) {
      expect(candidates).toHaveLength(100);
      expect(candidates[truth]).toBe(messages[0]?.content.replace('m', 'r'));
      expect(distractor).not.toBe(truth);
      expect(candidates[distractor]).toBeDefined();
    }
  });

  it('are in file order, or in the same order of chance at every call', () => {
    const all = turns(200);
    const plain = questionsOf(all, { blocks: 2, shuffle: false });
    expect(plain.map(({ messages }) => messages)).toEqual(all.map(({ messages }) => messages));
    const mixed = questionsOf(all, { blocks: 2, shuffle: true });
    expect(mixed).toEqual(questionsOf(all, { blocks: 2, shuffle: true }));
    expect(mixed.map(({ messages }) => messages)).not.toEqual(
      plain.map(({ messages }) => messages),
    );
  });

  it('keep all candidates where only some contexts are asked', () => {
    const all = questionsOf(turns(200), { blocks: 2, shuffle: true });
    const some = questionsOf(turns(200), { blocks: 2, contexts: 40, shuffle: true });
    expect(some).toHaveLength(80);
    expect(some.slice(40)).toEqual(all.slice(100, 140));
  });

  it('are one smaller block where there are fewer than 100 turns, and none for one turn', () => {
    expect(questionsOf(turns(7), { blocks: 5, shuffle: true })).toHaveLength(7);
    expect(questionsOf(turns(1), { blocks: 5, shuffle: true })).toEqual([]);
  });
});

describe('the share of a hit', () => {
  it('is whole or nothing without ties', () => {
    expect(within([3, 2, 1], 0, 1)).toBe(1);
    expect(within([3, 2, 1], 1, 1)).toBe(0);
    expect(within([3, 2, 1], 1, 2)).toBe(1);
  });

  it('is what breaking ties at random gives on average', () => {
    expect(within([5, 5, 5, 5], 2, 1)).toBe(0.25);
    expect(within([9, 5, 5, 1], 2, 2)).toBe(0.5);
    expect(within([9, 5, 5, 1], 2, 3)).toBe(1);
  });

  it('is nothing for a truth without a score', () => {
    expect(within([1, Number.NaN], 1, 2)).toBe(0);
  });
});

describe('figures of an order', () => {
  const one = (scores: number[], truth: number, distractor: number): Ranked => ({
    conv_id: `c${truth}`,
    truth,
    distractor,
    scores: { score: scores, pmi: scores.map((value) => -value), judge: null, logprob: scores },
    judgeMass: [],
  });
  const ranked = [one([4, 3, 2, 1], 0, 3), one([4, 3, 2, 1], 1, 0), one([1, 1, 1, 1], 2, 0)];

  it('count first places, further places and pairs', () => {
    expect(orderFigures(ranked, 'score')).toMatchObject({
      p_at_1: expect.closeTo((1 + 0 + 0.25) / 3, 12),
      p_at_3: expect.closeTo((1 + 1 + 0.75) / 3, 12),
      p_at_10: 1,
      pairwise: expect.closeTo((1 + 0 + 0.5) / 3, 12),
    });
  });

  it('are those of each part by itself, and null where the server has no such part', () => {
    expect(orderFigures(ranked, 'pmi').p_at_1).toBeCloseTo(0.25 / 3, 12);
    expect(orderFigures(ranked, 'judge')).toMatchObject({ n: 0, p_at_1: null, pairwise: null });
  });

  it('say of how many questions they are: one without the part is left out', () => {
    const judged = ranked.slice(0, 2).map((one) => ({
      ...one,
      scores: { ...one.scores, judge: one.scores.score },
    }));
    const figures = orderFigures([...judged, ...ranked.slice(2)], 'judge');
    expect(figures).toMatchObject({ n: 2, pairwise: 0.5 });
    expect(orderFigures(ranked, 'score').n).toBe(3);
  });

  it('have an interval each, over conversations', () => {
    // Behind the first one, the third one and the tenth one in one conversation each.
    const values = Array.from({ length: 12 }, (_, index) => -index);
    const many = [0, 2, 9, 11].map((truth) => one(values, truth, truth === 11 ? 0 : 11));
    const { ci95, ...figures } = orderFigures(many, 'score');
    for (const name of ['pairwise', 'p_at_1', 'p_at_3', 'p_at_10'] as const) {
      const [low, high] = ci95[name] ?? [];
      expect(low, name).toBeLessThan(figures[name] ?? Number.NaN);
      expect(high, name).toBeGreaterThan(figures[name] ?? Number.NaN);
    }
    expect(orderFigures(many, 'judge').ci95).toMatchObject({ p_at_3: null, p_at_10: null });
  });
});

describe('the mass of the judge slot', () => {
  const of = (...judgeMass: (readonly number[])[]) =>
    judgeMassFigures(judgeMass.map((values) => ({ judgeMass: values })));

  it('is the mean and the least over all candidates that have one', () => {
    expect(of([1, 0.5], [], [0.75])).toEqual({
      n_judge_mass: 3,
      judge_mass_mean: 0.75,
      judge_mass_min: 0.5,
    });
  });

  it('is nothing where the server does not give it', () => {
    const nothing = { n_judge_mass: 0, judge_mass_mean: null, judge_mass_min: null };
    expect(of([], [])).toEqual(nothing);
    expect(of()).toEqual(nothing);
  });
});

async function fileOf(count: number): Promise<string> {
  const dialogues = Array.from({ length: count }, (_, index) => ({
    conv_id: `hit:${index}`,
    turns: [
      { role: 'speaker', text: `hello ${index}` },
      { role: 'listener', text: `reply ${index}` },
    ],
  }));
  const data = join(await mkdtemp(join(tmpdir(), 'attune-')), 'valid.jsonl');
  await writeFile(data, dialogues.map((dialogue) => JSON.stringify(dialogue)).join('\n'));
  return data;
}

describe('a run', () => {
  it('asks for each context with its block, and says what the service and each part give', async () => {
    // The right reply has the number of its context; the judge always prefers the wrong ones.
    const { served, asked } = await pretending(({ body }) => ({
      results: body.candidates
        .map((candidate, index) => {
          const right = candidate.at(-1) === body.messages[0]?.content.at(-1);
          const score = right ? 1 : 0;
          return { index, score, pmi: score, logprob: 0, prior: 0, judge: -score };
        })
        .toReversed(),
    }));
    const told: string[] = [];
    const progress = (finished: number, of: number) => told.push(`${finished} of ${of}`);
    const figures = await run({ data: await fileOf(4), served, progress });
    await served.close();
    expect(asked.map(({ path }) => path)).toEqual(Array(8).fill('/v1/rank'));
    expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((finished) => `${finished} of 8`));
    expect(figures).toMatchObject({
      n: 4,
      candidates: 4,
      blocks: 1,
      pairwise_accuracy: 1,
      p_at_1_100: 1,
      p_at_1_100_unshuffled: 1,
      pairwise_judge: 0,
      n_judge: 4,
      n_judge_mass: 0,
      judge_mass_mean: null,
      judge_mass_min: null,
      parts: { score: { n: 4 }, logprob: { pairwise: 0.5, p_at_1: 0.25 } },
      ci95: { p_at_1_100: [1, 1], p_at_3: [1, 1], p_at_10: [1, 1] },
    });
  });

  it('counts the contexts that the judge answers for, and the mass of its slot', async () => {
    // For the first context one candidate has no judge, and one mass is null as in an older answer.
    const { served } = await pretending(({ body }) => ({
      results: body.candidates.map((_, index) => {
        const without = body.messages[0]?.content === 'hello 0' && index === 1;
        return without
          ? { index, score: -index, judge: null, judge_mass: null }
          : { index, score: -index, judge: -index, judge_mass: index === 0 ? 0.98 : 1 };
      }),
    }));
    const figures = await run({ data: await fileOf(4), served });
    await served.close();
    expect(figures).toMatchObject({
      n: 4,
      n_judge: 3,
      parts: { score: { n: 4 }, judge: { n: 3 }, pmi: { n: 0 } },
      n_judge_mass: 15,
      judge_mass_mean: expect.closeTo((4 * 0.98 + 11) / 15, 9),
      judge_mass_min: 0.98,
    });
  });

  it('stops when a candidate is left out', async () => {
    const data = join(await mkdtemp(join(tmpdir(), 'attune-')), 'valid.jsonl');
    const turn = [
      { role: 'speaker', text: 'a' },
      { role: 'listener', text: 'b' },
    ];
    await writeFile(data, JSON.stringify({ conv_id: 'x', turns: [...turn, ...turn] }));
    const { served } = await pretending(() => ({ results: [{ index: 0, score: 1 }] }));
    await expect(run({ data, served })).rejects.toThrow(/left out/);
    await served.close();
  });
});

describe('listener turns', () => {
  it('leave out those that say nothing, or have nothing said before them', () => {
    const found = listenerTurns([
      {
        conv_id: 'x',
        turns: [
          { role: 'listener', text: 'first' },
          { role: 'speaker', text: 'hi' },
          { role: 'listener', text: ' ' },
          { role: 'listener', text: 'yes?' },
        ],
      },
    ]);
    expect(found).toMatchObject([{ turn: 3, reply: 'yes?' }]);
  });
});
