import { describe, expect, it } from 'vitest';
import { type DialogueTurn, SCORES } from '../../src/affect/types.ts';
import { affectOf } from './fixtures/affect-of.ts';

/** Orders that a trained model keeps; how often it does is measured by `npm run eval`. */
describe('the reading of the served model', () => {
  it('gives all scores within their bounds', async () => {
    const reading = await affectOf('I lost my job today and I am scared.');
    for (const name of SCORES) {
      const low = ['valence', 'arousal', 'dominance'].includes(name) ? -1 : 0;
      expect(reading[name]).toBeGreaterThanOrEqual(low);
      expect(reading[name]).toBeLessThanOrEqual(1);
    }
  });

  it('finds good news more pleasant than bad', async () => {
    const good = await affectOf('Our baby was born this morning, we are so happy!');
    const bad = await affectOf('My dog died last night and my heart is broken.');
    expect(Number(good.valence) - Number(bad.valence)).toBeGreaterThan(0.2);
  });

  // Essays about news are what the head learnt from; on short messages it errs (model card).
  it('finds more distress and concern in a sad reaction than in a calm one', async () => {
    const sad = await affectOf('It makes me so upset and sad to read how these children suffer.');
    const calm = await affectOf(
      'This article was interesting, I learned about the new train line.',
    );
    expect(Number(sad.distress)).toBeGreaterThan(Number(calm.distress));
    expect(Number(sad.concern)).toBeGreaterThan(Number(calm.concern));
  });

  it('finds more intensity in fury than in a plain report', async () => {
    const furious = await affectOf('I am absolutely furious, I hate him so much!');
    const plain = await affectOf('The meeting is on the second floor.');
    expect(Number(furious.intensity)).toBeGreaterThan(Number(plain.intensity));
  });

  it('finds more self-disclosure in a confession than in a fact', async () => {
    const told = await affectOf('I feel so lonely since my wife left me, I cry every night.');
    const fact = await affectOf('The store on the corner opens at nine.');
    expect(Number(told.self_disclosure)).toBeGreaterThan(Number(fact.self_disclosure));
  });

  it.each([
    ['Yesterday my dog died while the neighbours were at work.', ['dog', 'died']],
    ['We took the bus and then a man attacked my sister.', ['attacked', 'sister', 'man']],
  ])('names what the feeling of %j comes from first', async (text, expected) => {
    const [first] = (await affectOf(text)).causes;
    expect(expected).toContain(text.slice(first?.start, first?.end));
  });

  it('gives families and polarity that sum to 1', async () => {
    const { families, polarity } = (await affectOf('I lost my job today.')).groups;
    expect(families).toHaveLength(8);
    expect(families.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6);
    expect(polarity.positive + polarity.negative + polarity.neutral).toBeCloseTo(1, 6);
  });

  it('gives cause words of the messages as they were given', async () => {
    const turns: DialogueTurn[] = [
      { role: 'user', text: '\u200b' },
      { role: 'assistant', text: 'What happened to your garden?' },
      { role: 'user', text: '  My neighbour’s dog 🐶 ruined the café roses!' },
      { role: 'assistant', text: 'Ignored wonderful words' },
    ];
    const { causes } = await affectOf(turns);
    const words = causes.map(({ message, start, end }) => [
      message,
      turns[message]?.text.slice(start, end),
    ]);
    expect(words.sort()).toEqual([
      [1, 'garden'],
      [1, 'happened'],
      [2, 'café'],
      [2, 'dog'],
      [2, 'neighbour’s'],
      [2, 'roses'],
      [2, 'ruined'],
    ]);
    const scores = causes.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  it('T06 gives cause words at the end of 16,000 characters their own places', async () => {
    const text = `${'I had to wait for hours. '.repeat(640).slice(0, 15_980)} My tortoise died.`;
    const { causes } = await affectOf(text);
    const words = causes.map(({ start, end }) => text.slice(start, end));
    expect(words.toSorted()).toEqual(['died', 'hours', 'tortoise', 'wait']);
    expect(causes.every(({ start }) => start > 15_000)).toBe(true);
  });
});
