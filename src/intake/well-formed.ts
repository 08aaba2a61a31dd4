/**
 * Offset of the first lone surrogate in UTF-16 code units, or -1 (O09). Such a string has no
 * UTF-8 form, so storing or forwarding it would silently change what the person wrote.
 */
export function loneSurrogateAt(text: string): number {
  if (text.isWellFormed()) return -1;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) index++;
    else return index;
  }
  return -1;
}
