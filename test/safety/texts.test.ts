import { describe, expect, it } from 'vitest';
import { DISCLOSURE, disclosureIn, GUARD_REPLY } from '../../src/safety/index.ts';
import { checkPools, checkTexts } from '../../src/safety/text/check.ts';
import { EN, FEELINGS } from '../../src/safety/text/en/index.ts';
import { FIXED } from '../../src/safety/text/fixed.ts';
import { first } from './talk.ts';

const ENGLISH = [
  ...Object.values(EN)
    .flat()
    .map(({ text }) => text),
  DISCLOSURE,
  GUARD_REPLY,
];
const OTHERS = [...FIXED.values()].flatMap(({ plain, urgent, third, disclosure }) => [
  ...plain,
  ...urgent,
  ...third,
  disclosure,
]);
const matching = (texts: readonly string[], words: RegExp) => texts.filter((t) => words.test(t));

describe('the texts of the protocol', () => {
  it('C16 name no means and no method, in any language', () => {
    const english =
      /\b(pills?|tablets?|meds|medication|overdos\w*|knif?ves?|knife|guns?|firearm|rope|noose|razors?|blades?|hang(ing)?|jump(ing)?|drown\w*|poison\w*|bleach|bridges?|trains?|tracks|veins?|wrists?|throat|dose)\b/i;
    const other =
      /\b(pastillas?|comprim\w+|cuchillo|pistola|soga|puente|ahorc\w+|veneno|couteau|corde|pont|pendre|m[ée]dicaments?|tabletten|messer|strick|br[üu]cke|erh[äa]ng\w*|gift|faca|corda|ponte|enforc\w+|rem[ée]dios?|coltello|pillole|impicc\w+|pistole|arma)\b/i;
    expect(matching(ENGLISH, english)).toEqual([]);
    expect(matching(OTHERS, other)).toEqual([]);
  });

  it('C16 agree with no wish to die, diagnose nothing and use no jargon', () => {
    const words =
      /\b(makes? (total |complete |perfect )?sense|understandable (that|to)|of course you (want|feel)|you('|’)re right to|valid reason|i would (too|also)|depress\w*|bipolar|psycho\w*|diagnos\w*|disorder|symptoms?|ideation|cognitive|comorbid\w*|risk assessment|borderline|trauma\w*|committed? suicide|selfish|attention.seeking)\b/i;
    expect(matching(ENGLISH, words)).toEqual([]);
  });

  it('C06 C10 promise nothing for ever and end no talk', () => {
    const words =
      /\b(i promise|promise you|always be|be there for you|forever|for ever|never leave|goodbye|farewell|this (chat|talk|conversation) (is over|ends)|i (have|need) to (go|stop))\b/i;
    expect(matching(ENGLISH, words)).toEqual([]);
  });

  it('C02 refuse nothing', () => {
    const words =
      /\b(cannot assist|can(’|')?t (assist|help)|unable to|not able to help|against my)\b/i;
    expect(matching(ENGLISH, words)).toEqual([]);
  });

  it('C15 never speak as a human being would', () => {
    const words = /\b(i am|i’m) (a )?(human|real person|therapist|doctor|counsell?or|friend)\b/i;
    expect(matching(ENGLISH, words)).toEqual([]);
  });

  it('C07 hold no telephone number: numbers come from the data alone', () => {
    expect(matching([...ENGLISH, ...OTHERS], /\d{3}/)).toEqual([]);
  });

  it('pass the check of the build', () => {
    expect(checkTexts()).toEqual([]);
  });
});

describe('the check of the build', () => {
  it.each([
    ['a means', 'Please put the knife away.', 'names a means'],
    ['a promise', 'I will always be here.', 'promise or farewell'],
    ['a farewell', 'Goodbye for now.', 'promise or farewell'],
    ['agreement', 'It makes total sense to feel so.', 'agreement'],
    ['a diagnosis', 'This is a symptom.', 'agreement'],
    ['a question that pulls for a no', 'You’re not thinking of suicide, are you?', 'pulls for'],
    ['an unknown slot', 'Call {number}.', 'unknown slot'],
  ])('C16 finds %s', (_name, text, fault) => {
    const faults = checkPools({ ack: [{ id: 'en.ack.1', text, source: 'listen' }] });
    expect(faults.join()).toContain(fault);
  });

  it('C09 finds a sentence that stands twice, and an empty list', () => {
    const one = { id: 'en.ack.1', text: 'I’m listening.', source: 'listen' } as const;
    expect(checkPools({ ack: [one, { ...one, id: 'en.ack.2' }], stay: [] })).toHaveLength(2);
  });
});

describe('the words of the person', () => {
  it('C16 come back only when they are a listed feeling', () => {
    expect(FEELINGS.length).toBeGreaterThan(10);
    expect(first('I feel so hopeless and I want to die').text).toContain('hopeless');
    for (const word of ['zanzibar', 'rope', 'disgusting', 'overdose']) {
      const { text } = first(`I feel ${word} and I want to die, I thought about ${word}`);
      expect(text.toLowerCase()).not.toContain(word);
    }
  });
});

describe('the disclosure', () => {
  it.each(['en', 'es', 'fr', 'de', 'pt', 'it'] as const)('C15 says what it is, in: %s', (code) => {
    expect(disclosureIn(code)).toMatch(/\b(AI|IA|KI)\b/);
  });

  it('C15 is another sentence in each language', () => {
    const all = (['en', 'es', 'fr', 'de', 'pt', 'it'] as const).map(disclosureIn);
    expect(new Set(all).size).toBe(6);
  });
});
