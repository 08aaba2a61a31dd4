/** English rules. */
import type { RuleSet } from '../rule.ts';
import { ACT_CLASSES, ACTS } from './acts.ts';
import { BELIEFS } from './beliefs.ts';
import { CONTEXT } from './context.ts';
import { DIRECT } from './direct.ts';
import { INDIRECT } from './indirect.ts';
import { MEANS } from './means.ts';
import { PLANNING } from './planning.ts';
import { SELF_HARM } from './self-harm.ts';
import { SUICIDE_WORD } from './suicide-word.ts';
import { THIRD_PARTY } from './third-party.ts';
import { URGENT } from './urgent.ts';
import { WISH } from './wish.ts';
import { CLASSES, COMMON, NEGATION, SELF } from './words.ts';

export const en: RuleSet = {
  language: 'en',
  self: SELF,
  classes: { ...CLASSES, ...ACT_CLASSES },
  negation: NEGATION,
  common: COMMON,
  rules: [
    ...DIRECT,
    ...ACTS,
    ...BELIEFS,
    ...PLANNING,
    ...SUICIDE_WORD,
    ...WISH,
    ...INDIRECT,
    ...MEANS,
    ...SELF_HARM,
    ...THIRD_PARTY,
    ...URGENT,
    ...CONTEXT,
  ],
};
