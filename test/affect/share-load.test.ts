import { describe, expect, it } from 'vitest';
import { shareLoad } from '../../src/affect/share-load.ts';
import { fail, ok, type Result } from '../../src/result.ts';

/** A load whose results are given one by one, and a clock that is set by hand. */
function setUp(results: Result<string, string>[]) {
  const state = { now: 0, loads: 0 };
  const model = shareLoad<string, string>({
    load: async () => {
      state.loads += 1;
      return results.shift() ?? fail('no result left');
    },
    now: () => state.now,
    retryAfterMs: 1_000,
  });
  return { state, model };
}

describe('shareLoad', () => {
  it('loads when first asked, not before', async () => {
    const { state, model } = setUp([ok('model')]);
    expect(state.loads).toBe(0);
    expect(await model()).toEqual(ok('model'));
  });

  it('gives all who ask at once the same load', async () => {
    const { state, model } = setUp([ok('model')]);
    expect(await Promise.all([model(), model(), model()])).toEqual(Array(3).fill(ok('model')));
    expect(state.loads).toBe(1);
  });

  it('keeps a success for ever', async () => {
    const { state, model } = setUp([ok('model'), ok('another')]);
    await model();
    state.now = 1e12;
    expect(await model()).toEqual(ok('model'));
  });

  it('hands out a failure until it is time to try again', async () => {
    const { state, model } = setUp([fail('broken'), ok('model')]);
    expect(await model()).toEqual(fail('broken'));
    state.now = 999;
    expect(await model()).toEqual(fail('broken'));
    expect(state.loads).toBe(1);
    state.now = 1_000;
    expect(await model()).toEqual(ok('model'));
  });

  it('starts one new attempt for all who ask when it is time', async () => {
    const { state, model } = setUp([fail('broken'), fail('still broken')]);
    await model();
    state.now = 1_000;
    await Promise.all([model(), model()]);
    expect(state.loads).toBe(2);
  });

  it('counts the pause from the latest failure', async () => {
    const { state, model } = setUp([fail('one'), fail('two'), ok('model')]);
    await model();
    state.now = 1_000;
    await model();
    state.now = 1_999;
    expect(await model()).toEqual(fail('two'));
    state.now = 2_000;
    expect(await model()).toEqual(ok('model'));
  });
});
