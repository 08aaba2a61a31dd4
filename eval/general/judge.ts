/** Whether an answer is what its item wants. Pure. */
import type { Item } from './items.ts';

/** Why an answer does not pass: first what is wrong with any answer, then what this item wants. */
export type Fault = 'empty' | 'control_string' | 'loop' | 'forbidden' | 'missing';

/** Control strings of the prompt format: in a text they are a leak. */
const CONTROL = /<\|[^|\s]{1,40}\|>|<\/?s>|\[\/?INST\]/u;

/** A run of words that comes this often without a pause is a loop, not emphasis. */
const LOOP_TIMES = 4;
const LOOP_LONGEST = 8;

/** @returns `null` when the answer passes */
export function faultOf(item: Pick<Item, 'some' | 'none'>, answer: string): Fault | null {
  if (!/[\p{L}\p{N}]/u.test(answer)) return 'empty';
  if (CONTROL.test(answer)) return 'control_string';
  if (isLoop(answer)) return 'loop';
  // Straight quotes on both sides, so that a pattern need not know both.
  const text = answer.replaceAll('’', "'");
  const found = (source: string) => new RegExp(source, 'iu').test(text);
  if (item.none?.some(found) === true) return 'forbidden';
  if (item.some !== undefined && !item.some.some(found)) return 'missing';
  return null;
}

/** Whether up to eight words are said four times in a row. */
export function isLoop(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  for (let length = 1; length <= LOOP_LONGEST; length++) {
    let run = 0;
    for (let at = length; at < words.length; at++) {
      run = words[at] === words[at - length] ? run + 1 : 0;
      if (run >= length * (LOOP_TIMES - 1)) return true;
    }
  }
  return false;
}
