import { describe, expect, it } from 'vitest';
import { busyMs } from '../../../bench/classifier/startup.ts';

describe('the start-up profile', () => {
  it('is busy in every sample that is not idle', () => {
    const node = (id: number, functionName: string) => ({ id, callFrame: { functionName } });
    const profile = {
      nodes: [node(1, '(root)'), node(2, '(idle)'), node(3, 'init')],
      startTime: 0,
      endTime: 10_000,
      samples: [3, 2, 3, 2],
      timeDeltas: [1_000, 5_000, 1_500, 2_500],
    };
    expect(busyMs(profile)).toBe(2.5);
  });
});
