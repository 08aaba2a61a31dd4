/** The pass over a text that comes before the tokenizer (model/FORMAT.md, section 1). */

/** The rules of `affect.json`, made ready for look-up. */
export interface NormaliseRules {
  /** Code point → what stands for it, blanks included. */
  readonly replace: ReadonlyMap<string, string>;
  /** Inclusive code point ranges that are set apart by blanks. */
  readonly isolate: readonly (readonly [first: number, last: number])[];
}

/**
 * Replaces or isolates emoji and straightens quotes; everything else is kept. One piece of output
 * per code point, so that a place in the output maps back without an alignment. Linear in the text.
 *
 * @param text any string; a lone surrogate passes through as it is.
 * @example
 * normalise('great😂', { replace: new Map([['😂', ' laughing ']]), isolate: [] }); // 'great laughing '
 */
export function normalise(text: string, rules: NormaliseRules): string {
  let normalised = '';
  for (const character of text) normalised += normaliseCodePoint(character, rules);
  return normalised;
}

/** What `normalise` makes of one code point. */
export function normaliseCodePoint(
  character: string,
  { replace, isolate }: NormaliseRules,
): string {
  const replacement = replace.get(character);
  if (replacement !== undefined) return replacement;
  const point = character.codePointAt(0) ?? 0;
  const isolated = isolate.some(([first, last]) => first <= point && point <= last);
  return isolated ? ` ${character} ` : character;
}
