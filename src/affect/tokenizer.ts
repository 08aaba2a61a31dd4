/** WordPiece over a normalised text (model/FORMAT.md, sections 1 and 2). */
import { Tokenizer } from '@huggingface/tokenizers';
import { type NormaliseRules, normalise } from './normalise.ts';

export interface TextTokenizer {
  /** Token ids of one text alone, without specials. Linear in the text. */
  readonly encode: (text: string) => number[];
  /** Whether one of the ids is a piece of a word: has a letter and is not the unknown token. */
  readonly hasWords: (ids: readonly number[]) => boolean;
}

const LETTER = /\p{L}/u;

/**
 * @param input.json the parsed `tokenizer.json`.
 * @param input.rules what happens to a text before.
 * @throws whatever the library throws on a file that is no tokenizer.
 */
export function createTextTokenizer(input: {
  readonly json: object;
  readonly rules: NormaliseRules;
}): TextTokenizer {
  const tokenizer = new Tokenizer(input.json, {});
  return {
    encode: (text) =>
      tokenizer.encode(normalise(text, input.rules), { add_special_tokens: false }).ids,
    hasWords: (ids) => ids.some((id) => isWord(tokenizer.id_to_token(id))),
  };
}

/** Specials look like `[CLS]`; a bracket typed by a person is always a token of its own. */
function isWord(token: string | undefined): boolean {
  return token !== undefined && LETTER.test(token) && !/^\[\w+\]$/.test(token);
}
