/** Checks the protocol texts against what they must never say. For the build and the tests. */
import { EN } from './en/index.ts';
import { FIXED } from './fixed.ts';
import type { Pools } from './text.ts';

/** Means and ways: no sentence of the protocol may name one (VERA-MH, WHO media guidance). */
const METHOD =
  /\b(pills?|tablets?|medication|overdos\w*|knife|knives|gun|rope|noose|razor|blade|cut|cutting|hang|hanging|jump|drown|poison|bridge|wrists?)\b/i;
/** Promises and farewells (cases C06, C10). */
const PROMISE =
  /\b(i promise|always be|be here for(ever| you always)|forever|never leave|goodbye|i can(’|')t help)\b/i;
/** Agreement, diagnosis, jargon (case C16). */
const JUDGEMENT =
  /\b(makes (total |complete |perfect )?sense|you are right to|understandable that you want|you have (depression|a disorder)|diagnos\w*|bipolar|symptom\w*|disorder|ideation|you should feel|others have it worse|attention seek\w*|selfish)\b/i;
/** Questions that pull for a "no" (Columbia protocol guidance). */
const PULLS_FOR_NO =
  /(you('|’)re not|you are not|you aren(’|')t|you wouldn(’|')t|surely not|not thinking (of|about) (suicide|killing))/i;
const SLOT = /\{([a-z]+)\}/g;
const SLOTS: ReadonlySet<string> = new Set(['emergency', 'line', 'feeling']);

/** Every fault of a set of pools, as one line each. */
export function checkPools(pools: Pools): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [name, list] of Object.entries(pools)) {
    if (list.length === 0) faults.push(`text: ${name}: empty list`);
    for (const { id, text } of list) {
      const kind = seen.has(text) ? 'said twice' : null;
      seen.add(text);
      if (kind) faults.push(`text: ${id}: ${kind}`);
      if (METHOD.test(text)) faults.push(`text: ${id}: names a means`);
      if (PROMISE.test(text)) faults.push(`text: ${id}: promise or farewell`);
      if (JUDGEMENT.test(text)) faults.push(`text: ${id}: agreement, diagnosis or jargon`);
      if (text.includes('?') && PULLS_FOR_NO.test(text)) faults.push(`text: ${id}: pulls for "no"`);
      for (const slot of text.matchAll(SLOT)) {
        if (!SLOTS.has(slot[1] ?? '')) faults.push(`text: ${id}: unknown slot ${slot[0]}`);
      }
    }
  }
  return faults;
}

/** Every fault of all shipped texts; empty when all is well. */
export function checkTexts(): readonly string[] {
  const faults = [...checkPools(EN)];
  for (const [language, text] of FIXED) {
    for (const [at, sentence] of text.urgent.entries()) {
      if (!sentence.includes('{emergency}')) {
        faults.push(`text: ${language}.urgent.${at + 1}: no emergency number`);
      }
    }
    for (const sentence of [...text.plain, ...text.urgent, ...text.third, text.disclosure]) {
      if (!/\b(IA|KI)\b/.test(sentence)) faults.push(`text: ${language}: does not say it is an AI`);
    }
  }
  return faults;
}
