/** Finds a feeling that the person named of themselves, among words that are safe to give back. */
import { fold } from '../normalise/fold.ts';
import { FEELINGS } from '../text/en/index.ts';

// Long texts: the newest part says how the person is now.
const TAIL = 2_000;
const NAMED = new RegExp(
  `\\b(?:i feel|i'm feeling|im feeling|i am feeling|feeling|i'm|im|i am|i've been|i have been)(?: (?:so|very|really|just|completely|totally|too|always|still|and|feeling|fucking|kind of|all))*,? (${FEELINGS.join('|')})\\b`,
  'g',
);

// A no to the question that came before; "no one", "not sure" and "nothing helps" are no answers.
const NO =
  /^\s*(?:no(?:pe)?|nah|not at all|i'm not|im not|i am not|i don't|i dont|i do not)(?=$|[\s.,!])(?! (?:one|idea|know|reason|point|sure))/;

/** What the reply may take up of the message: a listed feeling, and whether it says no. */
export function hear(text: string): { readonly feeling: string | null; readonly saidNo: boolean } {
  return { feeling: namedFeeling(text), saidNo: NO.test(fold(text.slice(0, 80))) };
}

/** The last listed feeling word of the text, or null. Never any other word of the person. */
export function namedFeeling(text: string): string | null {
  const found = [...fold(text.slice(-TAIL)).matchAll(NAMED)].at(-1)?.[1];
  return found ?? null;
}
