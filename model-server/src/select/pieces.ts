/**
 * Cut a finished reply into pieces for a stream: a word each, with the white space before it. Joined
 * they are the text; no piece begins or ends inside a character.
 */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}
