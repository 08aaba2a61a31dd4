/**
 * Which human replies may be said by Attune in another conversation. A reply from a data set was
 * written by a person about one story; what ties it to that person or to that story is kept out by
 * rules that are simple enough to be read, and strict: most replies fail, plenty remain.
 */
import { MAX_RETRIEVED_WORDS, MIN_RETRIEVED_WORDS } from './constants.ts';
import { wordsOf } from './words.ts';

/** Digits, links, addresses and the data set's own escapes. */
const FOREIGN = /[\d@#/\\_<>]|www\.|_comma_/i;
/** People of the other story, and the writer's own people and past ("my", "we", "me too"). */
const SOMEONE =
  /\b(?:he|him|his|she|her|hers|my|mine|myself|me|we|our|ours|us|wife|husband|god|lord|jesus)\b/i;
/** "I" only where it says what a listener can say, not what an AI cannot have lived. */
const OWN_STORY =
  /\bi\b(?!(?:['’]m (?:so |very |really |truly )?(?:sorry|glad|happy|proud of you)| am (?:so |very |really |truly )?(?:sorry|glad|happy|proud of you)| (?:hope|understand|see|wish you|can imagine|can understand|can see|bet|think|guess)\b))/i;
/** A capital inside a sentence is a name (or shouting); "I" and its contractions are not. */
const NAME = /[^.!?…\s"(]\s+(?!I\b)\p{Lu}/u;
/** Control strings of this or another model. */
const CONTROL = /<\||\|>/;

/** Whether a reply fits a stranger's conversation. */
export function isUsableReply(text: string): boolean {
  const words = wordsOf(text).length;
  return (
    words >= MIN_RETRIEVED_WORDS &&
    words <= MAX_RETRIEVED_WORDS &&
    ![FOREIGN, SOMEONE, OWN_STORY, NAME, CONTROL].some((pattern) => pattern.test(text))
  );
}
