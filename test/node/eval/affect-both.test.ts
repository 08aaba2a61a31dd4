import { describe, expect, it } from 'vitest';
import { bothFigures, mixture, run, type TwoReadings } from '../../../eval/affect-both.ts';
import { halfOf } from '../../../eval/dialogues.ts';

const ids = Array.from({ length: 400 }, (_, index) => `hit:${index}_conv:${index}`);

/** Sure of one label to the share `p`; the rest is spread. */
function row(label: number, p: number): number[] {
  return Array.from({ length: 32 }, (_, index) => (index === label ? p : (1 - p) / 31));
}

const uniform = Array<number>(32).fill(1 / 32);

describe('the mixture of two distributions', () => {
  it('is each of them at the ends, and sums to 1 between', () => {
    const turn = { edge: row(3, 0.7), server: row(5, 0.6) };
    expect(mixture(turn, 1)[3]).toBeCloseTo(0.7, 9);
    expect(mixture(turn, 0)[5]).toBeCloseTo(0.6, 9);
    expect(mixture(turn, 0.4).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
  });

  it('takes a probability of 0 as small, not as impossible', () => {
    const turn = { edge: row(3, 1), server: row(5, 1) };
    expect(mixture(turn, 0.5).every(Number.isFinite)).toBe(true);
  });
});

describe('the weight of the edge', () => {
  it('is all where the server knows nothing, and none where the edge misleads', () => {
    const turns = ids.map((conv_id, index): TwoReadings => {
      const label = index % 32;
      return { conv_id, label, edge: row(label, 0.5), server: uniform };
    });
    expect(bothFigures(turns)).toMatchObject({ edge_weight: 1, ensemble: { top1: 1 } });
    const misled = turns.map(({ label, ...turn }) => ({
      ...turn,
      label,
      edge: row((label + 1) % 32, 0.9),
      server: row(label, 0.9),
    }));
    expect(bothFigures(misled)).toMatchObject({ edge_weight: 0, edge: { top1: 0 } });
  });

  it('is chosen on the tune half and judged on the report half', () => {
    const turns = ids.map((conv_id, index): TwoReadings => {
      const label = index % 32;
      const right = row(label, 0.9);
      const wrong = row((label + 1) % 32, 0.9);
      const tunes = halfOf(conv_id) === 'tune';
      return { conv_id, label, edge: tunes ? right : wrong, server: tunes ? wrong : right };
    });
    const figures = bothFigures(turns);
    expect(figures).toMatchObject({
      edge_weight: 1,
      edge: { top1: 0 },
      server: { top1: 1 },
      ensemble: { top1: 0 },
      gain_ci95: { edge: [0, 0], server: [-1, -1] },
    });
    expect(figures.n + figures.n_tune).toBe(ids.length);
  });

  it('is nothing without turns to tune on', () => {
    const report = ids.filter((id) => halfOf(id) === 'report');
    const turns = report.map((conv_id) => ({ conv_id, label: 0, edge: uniform, server: uniform }));
    expect(bothFigures(turns)).toMatchObject({ edge_weight: null, ensemble: null });
  });
});

describe('the figures of each reader', () => {
  it('have intervals over conversations, which hold them', () => {
    // As sure where it is wrong, in every second conversation: every figure varies with those drawn.
    const turns = ids.map((conv_id, index): TwoReadings => {
      const label = index % 32;
      const read = row(index % 2 === 0 ? label : (label + 7) % 32, 0.9);
      return { conv_id, label, edge: read, server: read };
    });
    const { edge } = bothFigures(turns);
    for (const name of ['top1', 'top5', 'macro_f1', 'ece', 'nll'] as const) {
      const [low, high] = edge[`${name}_ci95`] ?? [];
      expect(low, name).toBeLessThan(edge[name]);
      expect(high, name).toBeGreaterThan(edge[name]);
    }
  });

  it('have no interval where there is nothing to report', () => {
    const tune = ids.filter((id) => halfOf(id) === 'tune');
    const turns = tune.map((conv_id) => ({ conv_id, label: 0, edge: uniform, server: uniform }));
    expect(bothFigures(turns).edge).toMatchObject({ top5_ci95: null, macro_f1_ci95: null });
  });
});

describe('a run', () => {
  it('refuses one half alone', async () => {
    await expect(run({ data: 'none', half: 'report' })).rejects.toThrow(/both halves/);
  });
});
