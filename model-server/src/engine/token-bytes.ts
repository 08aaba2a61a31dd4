/**
 * Bytes of a token of a byte-level BPE vocabulary (GPT-2): its text spells each byte as one
 * printable character. With bytes at hand, one streaming decoder puts characters together that the
 * model spreads over tokens.
 */

/** GPT-2's alphabet: character -> byte. Source: `bytes_to_unicode` of the GPT-2 encoder. */
export const BYTE_OF_CHARACTER: ReadonlyMap<string, number> = alphabet();

function alphabet(): Map<string, number> {
  const table = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) ||
      (byte >= 0xa1 && byte <= 0xac) ||
      (byte >= 0xae && byte <= 0xff);
    table.set(String.fromCharCode(printable ? byte : next++), byte);
  }
  return table;
}

/**
 * @param text the token's text in the vocabulary
 * @returns its bytes (perhaps a part of a UTF-8 character); characters outside the alphabet are
 *   left out (only control tokens have them)
 */
export function bytesOfToken(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTE_OF_CHARACTER.get(character);
    if (byte !== undefined) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
