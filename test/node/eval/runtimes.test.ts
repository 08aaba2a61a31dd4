import { describe, expect, it } from 'vitest';
import { nodeClassifier } from '../../../eval/node-classifier.ts';
import { runtimeFigures } from '../../../eval/runtimes.ts';

describe('W07 the same graph in two runtimes', () => {
  it('is compared by its first labels, by top-1 and by the largest difference', () => {
    const examples = [{ label: 0 }, { label: 1 }, { label: 1 }, { label: 0 }];
    const workerd = [
      [0.6, 0.4],
      [0.2, 0.8],
      [0.3, 0.7],
      [0.9, 0.1],
    ];
    const node = [
      [0.6, 0.4],
      [0.2, 0.8],
      [0.55, 0.45],
      [0.9, 0.1],
    ];
    expect(runtimeFigures(examples, { workerd, node })).toEqual({
      n: 4,
      same_top1: 0.75,
      top1_workerd: 1,
      top1_node: 0.75,
      delta_points: -25,
      largest_difference: expect.closeTo(0.25, 12),
    });
  });

  it('agrees with itself', () => {
    const rows = [[0.5, 0.5]];
    expect(runtimeFigures([{ label: 1 }], { workerd: rows, node: rows })).toMatchObject({
      same_top1: 1,
      delta_points: 0,
      largest_difference: 0,
    });
    expect(runtimeFigures([], { workerd: [], node: [] })).toMatchObject({ n: 0, same_top1: 0 });
  });

  it('the served classifier loads in Node and reads a message there', async () => {
    const classifier = await nodeClassifier();
    const result = await classifier.classify([{ role: 'user', text: 'My dog died last night.' }]);
    if (!result.ok) throw new Error(result.message);
    const { emotions } = result.affect;
    expect(emotions[0]?.label).toMatch(/^(sad|devastated)$/);
    expect(emotions.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 5);
  });
});
