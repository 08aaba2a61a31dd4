/** Words of a text as selection compares them. */
import { stemmer } from 'stemmer';

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu;

/** Words in their order, lower-case, with straight apostrophes; other scripts as they are. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"));
}

/** Porter stems (Porter 1980, for English; other words stay nearly as they are). */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map((word) => stemmer(word));
}
