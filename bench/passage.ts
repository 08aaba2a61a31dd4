/** What the classifier bench says: everyday words, written for this purpose. Pure. */

/** Each word is one token of the vocabulary (a test reads it against tokenizer.json). */
const PASSAGE = `my dog was sick last night and i was so scared that we would lose him so i sat with him
on the floor and talked to him until it was light and we could see a doctor she said he had eaten
something bad and that he would be fine in a few days i cried the whole way home because i was so
happy and my sister laughed at me but then she cried too we have had him since i was a little girl
and i do not know what i would do without him so now he sleeps in my bed and gets all the food he
wants and i call my mother every day to tell her how he is doing and she says that she is glad too`;

/** A message that only the language detector can tell from English. */
export const FOREIGN =
  'Mi perro murió anoche y no puedo dejar de llorar, porque estaba conmigo desde que era niña.';

const WORDS = PASSAGE.split(/\s+/);

/** The most words that `passage` has. */
export const PASSAGE_WORDS = WORDS.length;

/** The first `words` words of an everyday message: as many tokens, without the model's own three. */
export function passage(words: number): string {
  return WORDS.slice(0, words).join(' ');
}
