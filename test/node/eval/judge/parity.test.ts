import { describe, expect, it } from 'vitest';
import { MECHANISMS } from '../../../../eval/judge/description.ts';
import { loadJudge } from '../../../../eval/judge/judge.ts';
import parity from '../../../../eval/judge/model/parity.json' with { type: 'json' };

describe('the committed judge', () => {
  it('reads in wasm what the training code read (clear cases only)', async () => {
    const judge = await loadJudge();
    let compared = 0;
    for (const { seeker, response, levels } of parity) {
      const read = await judge({ seeker, response });
      for (const mechanism of MECHANISMS) {
        const expected = levels[mechanism];
        if (expected === undefined) continue;
        expect({ response, mechanism, level: read[mechanism] }).toEqual({
          response,
          mechanism,
          level: expected,
        });
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(parity.length);
  });

  it('reads texts without words', async () => {
    const judge = await loadJudge();
    expect(Object.keys(await judge({ seeker: '', response: '' }))).toEqual([...MECHANISMS]);
  });
});
