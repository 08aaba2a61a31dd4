import { describe, expect, it } from 'vitest';
import { type Candidate, choose } from '../../src/select/choose.ts';

const NOTHING = { focus: [], earlier: [] };
/** A candidate with a PMI (nats) and a judge (log odds). */
const candidate = (text: string, pmi: number, judge = 0): Candidate => ({
  text,
  score: { tokens: 10, logprob: pmi - 30, prior: -30, judge },
  complete: true,
});
const TEXT = 'one two three four five six seven eight nine ten eleven';

describe('choosing a reply', () => {
  it('takes the one that gains most from the context', () => {
    const { chosen } = choose(
      [candidate(TEXT, 4), candidate(TEXT, 9), candidate(TEXT, 6)],
      NOTHING,
    );
    expect(chosen).toBe(1);
  });

  it('counts the judge beside the gain', () => {
    const { chosen } = choose([candidate(TEXT, 6, -3), candidate(TEXT, 5, 3)], NOTHING);
    expect(chosen).toBe(1);
  });

  it('keeps the first of equal ones', () => {
    expect(choose([candidate(TEXT, 5), candidate(TEXT, 5)], NOTHING).chosen).toBe(0);
  });

  it('prefers a reply that takes up the focus, in another form of the word, too', () => {
    const replies = [
      candidate('You must miss that very much, it sounds hard for you now', 6),
      candidate('Dogs are family, how long did you two live together now', 5.5),
    ];
    expect(choose(replies, NOTHING).chosen).toBe(0);
    const { chosen, features } = choose(replies, { focus: ['dog', 'lonely'], earlier: [] });
    expect(chosen).toBe(1);
    expect(features.map(({ focus }) => focus)).toEqual([0, 0.5]);
  });

  it('reads focus words of several words and of none', () => {
    const replies = [candidate('My new house is big', 5)];
    const focusOf = (focus: string[]) => choose(replies, { focus, earlier: [] }).features[0]?.focus;
    expect(focusOf(['new house', 'garden'])).toBeCloseTo(2 / 3);
    expect(focusOf(['…', '!'])).toBe(0);
  });

  it('does not say again what was said before', () => {
    const said = 'I am so sorry to hear that, how are you holding up?';
    const replies = [candidate(said, 8), candidate('What did he mean to you, all these years?', 5)];
    const { chosen, features } = choose(replies, { focus: [], earlier: [said] });
    expect(chosen).toBe(1);
    expect(features[0]?.overlap).toBe(1);
    expect(features[1]?.overlap).toBe(0);
  });

  it('calls a reply generic when the context hardly makes it likelier', () => {
    const { features } = choose(
      [candidate(TEXT, 0), candidate(TEXT, 1), candidate(TEXT, 9)],
      NOTHING,
    );
    expect(features.map(({ generic }) => generic)).toEqual([1, 0.5, 0]);
  });

  it('lets the usual length win among like replies', () => {
    const replies = [candidate('Oh no', 5), candidate(TEXT, 5), candidate(`${TEXT} `.repeat(4), 5)];
    expect(choose(replies, NOTHING).chosen).toBe(1);
  });

  it('takes a cut reply only when all are cut', () => {
    const cut = { ...candidate(TEXT, 9), complete: false };
    expect(choose([cut, candidate(TEXT, 5)], NOTHING).chosen).toBe(1);
    expect(choose([cut, { ...cut }], NOTHING).chosen).toBe(0);
  });

  it('never gives an empty reply while there is another one', () => {
    const empty: Candidate = { text: ' ', score: null, complete: true };
    const bad = { ...candidate(TEXT, -60, -9), complete: false };
    expect(choose([empty, bad], NOTHING).chosen).toBe(1);
    expect(choose([bad, empty], NOTHING).chosen).toBe(0);
    expect(choose([empty], NOTHING).chosen).toBe(0);
  });

  it('gives a reply that could not be scored no advantage over those that were', () => {
    const unscored: Candidate = { text: TEXT, score: null, complete: true };
    const replies = [unscored, candidate(TEXT, -4, -2), candidate(TEXT, -9, -3)];
    const { chosen, features } = choose(replies, NOTHING);
    expect(chosen).toBe(1);
    expect(features[0]?.score).toBe(features[2]?.score);
    expect(choose(replies.toReversed(), NOTHING).chosen).toBe(1);
  });

  it('lets a reply that could not be scored win by what is seen of it', () => {
    const unscored: Candidate = { text: TEXT, score: null, complete: true };
    const focus = { focus: ['seven'], earlier: [] };
    expect(choose([candidate('Oh no', -5), unscored], focus).chosen).toBe(1);
  });

  it('works without any score of the model', () => {
    const unscored = (text: string): Candidate => ({ text, score: null, complete: true });
    const replies = [
      unscored('Oh'),
      unscored('That sounds hard, tell me more about your dog please'),
    ];
    const { chosen, features } = choose(replies, { focus: ['dog'], earlier: [] });
    expect(chosen).toBe(1);
    expect(features[0]).toMatchObject({ pmi: null, judge: null, generic: 0 });
  });

  it('has finite scores for any text', () => {
    for (const text of ['', '😢', '…', '你好', 'a'.repeat(10_000)]) {
      const { features } = choose([{ ...candidate(text, 0), score: null }], {
        focus: ['a'],
        earlier: [''],
      });
      expect(Number.isFinite(features[0]?.score)).toBe(true);
    }
  });
});
