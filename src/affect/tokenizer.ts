/** WordPiece over a normalised text (model/FORMAT.md, sections 1, 2 and 6). */
import { Tokenizer } from '@huggingface/tokenizers';
import { align, type Span, spanOf } from './align.ts';
import { type NormaliseRules, normalise } from './normalise.ts';

/** A WordPiece and where it comes from. */
export interface Token extends Span {
  readonly id: number;
  /** Number of the word that it is a piece of; pieces of one word follow each other. */
  readonly word: number;
}

export interface TextTokenizer {
  /** Token ids of one text alone, without specials. Linear in the text. */
  readonly encode: (text: string) => number[];
  /** The same tokens with their places in the text. Linear in the text. */
  readonly tokenise: (text: string) => Token[];
  /** Whether the id is a piece of a word: has a letter and is not the unknown token. */
  readonly isWord: (id: number) => boolean;
}

const LETTER = /\p{L}/u;

/** Words and single punctuation marks, as the library's BertPreTokenizer cuts them. */
const WORDS = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

const CONTINUATION = '##';

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
  const encoding = (text: string) =>
    tokenizer.encode(normalise(text, input.rules), { add_special_tokens: false });

  function tokenise(text: string): Token[] {
    const { ids, tokens } = encoding(text);
    const aligned = align(text, input.rules);
    const found: Token[] = [];
    let word = -1;
    for (const { index, 0: letters } of aligned.text.matchAll(WORDS)) {
      word += 1;
      const end = index + letters.length;
      for (let at = index; at < end && found.length < tokens.length; ) {
        const to = isSpecial(tokens[found.length]) ? end : at + lengthOf(tokens[found.length]);
        found.push({ id: ids[found.length] ?? 0, word, ...spanOf(aligned, at, to) });
        at = to;
      }
    }
    return found;
  }

  return {
    encode: (text) => encoding(text).ids,
    tokenise,
    isWord: (id) => {
      const token = tokenizer.id_to_token(id);
      return token !== undefined && LETTER.test(token) && !isSpecial(token);
    },
  };
}

/** Like `[UNK]`, which stands for a whole word; a bracket typed by a person is a token of its own. */
function isSpecial(token: string | undefined): boolean {
  return token !== undefined && /^\[\w+\]$/.test(token);
}

/** UTF-16 units of the text that a piece stands for, at least 1. */
function lengthOf(token: string | undefined): number {
  const letters = token?.startsWith(CONTINUATION) === true ? token.length - 2 : token?.length;
  return Math.max(letters ?? 1, 1);
}
