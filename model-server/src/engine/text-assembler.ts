/** Token bytes in, whole characters out (cases S13 and S15). */
import { bytesOfToken } from './token-bytes.ts';

/**
 * Joins the bytes of successive tokens into text. A character that is spread over tokens comes out
 * with its last byte; bytes that are no UTF-8, which only a confused model writes, are left out,
 * and so is an unfinished character at the end.
 */
export class TextAssembler {
  readonly #decoder = new TextDecoder('utf-8');

  /**
   * @param tokenText the token's text in the vocabulary
   * @returns the characters completed by it: well-formed UTF-16, often empty
   */
  push(tokenText: string): string {
    return this.#decoder.decode(bytesOfToken(tokenText), { stream: true }).replaceAll('\uFFFD', '');
  }
}
