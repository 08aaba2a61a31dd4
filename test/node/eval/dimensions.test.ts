import { describe, expect, it } from 'vitest';
import { emotionsOnly, type Read } from '../../../eval/ask.ts';
import {
  correlations,
  type Dimension,
  disclosure,
  fromEmoBank,
  fromEmpathicReactions,
  fromSupporterTurns,
  type Rated,
} from '../../../eval/dimensions.ts';
import { isHeldOut } from '../../../eval/folds.ts';

/** Someone whose number for a text is what `say` makes of it. */
function reader(dimension: Dimension, say: (text: string) => number | null): Read {
  return async (conversations) =>
    conversations.map((messages) => {
      const empty = emotionsOnly([]);
      const value = say(messages[0]?.content ?? '');
      return { ...empty, dimensions: { ...empty.dimensions, [dimension]: value } };
    });
}

const essays = (...scores: number[]): Rated[] =>
  scores.map((distress) => ({ text: `essay ${distress}`, gold: { distress } }));

describe('the data sets', () => {
  it('EmoBank gives its test split with valence, arousal and dominance', () => {
    const csv = 'id,split,V,A,D,text\n1,train,3,3,3,no\n2,test,2.5,3.1,2,"yes, this"\n';
    expect(fromEmoBank(csv)).toEqual([
      { text: 'yes, this', gold: { valence: 2.5, arousal: 3.1, dominance: 2 } },
    ]);
  });

  it('empathic reactions give the essays of held-out writers, empathy as concern', () => {
    const writers = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9', 'w10'];
    const rows = writers.map((writer) => `${writer}_1,${writer},5.5,2.25,${writer} wrote`);
    const held = writers.filter(isHeldOut);
    expect(held.length).toBeGreaterThan(0);
    const rated = fromEmpathicReactions(
      `message_id,response_id,empathy,distress,essay\n${rows.join('\n')}\n`,
    );
    expect(rated).toEqual(
      held.map((writer) => ({ text: `${writer} wrote`, gold: { concern: 5.5, distress: 2.25 } })),
    );
  });

  it('supporter turns are self-disclosure when one of their strategies is', () => {
    const csv =
      'Question,how are you?<|endoftext|>\n"Self-disclosure,Question",I was there too.<|endoftext|>\n';
    expect(fromSupporterTurns(csv)).toEqual([
      { text: 'how are you?', gold: { self_disclosure: 0 } },
      { text: 'I was there too.', gold: { self_disclosure: 1 } },
    ]);
  });
});

describe('data in another shape', () => {
  it.each([
    ['EmoBank without a rating', () => fromEmoBank('split,V,A,text\ntest,1,2,x\n'), 'column D'],
    ['a blank rating', () => fromEmoBank('split,V,A,D,text\ntest,1,2,,x\n'), 'column D'],
    ['EmoBank without splits', () => fromEmoBank('V,A,D,text\n1,2,3,x\n'), 'column split'],
    ['essays without writers', () => fromEmpathicReactions('essay\nx\n'), 'column response_id'],
    ['turns without text', () => fromSupporterTurns('a,b\nQuestion\n'), 'record 2'],
    ['turns of three fields', () => fromSupporterTurns('a,b,c\n'), 'record 1'],
  ])('is refused: %s', (_name, read, what) => {
    expect(read).toThrow(what);
  });
});

describe('correlations', () => {
  it('compare what was read with what people said', async () => {
    const read = reader('distress', (text) => -Number(text.slice(6)));
    const figures = await correlations('set', essays(1, 4, 2), { dimensions: ['distress'], read });
    expect(figures).toEqual({ distress_r: expect.closeTo(-1, 12), set_n: 3, set_missing: 0 });
  });

  it('count a text without a number as the mean of the others, and say how many there are', async () => {
    const read = reader('distress', (text) => {
      const value = Number(text.slice(6));
      return value === 7 ? null : value;
    });
    const figures = await correlations('set', essays(1, 3, 7), { dimensions: ['distress'], read });
    // Predicted 1, 3 and their mean 2 for gold 1, 3, 7: covariance 2, spreads 2 and 56 / 3.
    expect(figures['distress_r']).toBeCloseTo(2 / Math.sqrt((2 * 56) / 3), 12);
    expect(figures['set_missing']).toBe(1);
  });

  it('leave blank texts out, which no request may carry', async () => {
    const read = reader('distress', () => 1);
    const rated = [...essays(1, 2), { text: ' ', gold: { distress: 3 } }];
    const figures = await correlations('set', rated, { dimensions: ['distress'], read });
    expect(figures).toMatchObject({ set_n: 2, distress_r: null });
  });
});

describe('disclosure', () => {
  it('is the chance that a turn with it scores above one without', async () => {
    const turn = (text: string, positive: boolean): Rated => ({
      text,
      gold: { self_disclosure: positive ? 1 : 0 },
    });
    const read = reader('self_disclosure', (text) => text.length / 10);
    const rated = [turn('long text', true), turn('short', false), turn('longest text', false)];
    expect(await disclosure(rated, read)).toEqual({
      self_disclosure_auc: 0.5,
      esconv_n: 3,
      esconv_positive: 1,
      esconv_missing: 0,
    });
  });
});
