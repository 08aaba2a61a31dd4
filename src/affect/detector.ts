/** The language detector, loaded when first asked; a Worker that sees English only never does. */

/** What a detector makes of a text. */
export interface Detection {
  /** ISO 639-1 code, null when it found none. */
  readonly code: string | null;
  /** Whether the detector stands behind it. */
  readonly isReliable: boolean;
}

export type Detect = (text: string) => Promise<Detection>;

/**
 * `eld` with its smallest table. That costs 29 MB of heap and about 160 ms when it is first evaluated
 * (Node.js 20). In the bundle the import is a call, not a fetch.
 *
 * @throws when the module cannot be had.
 */
export async function detectWithEld(text: string): Promise<Detection> {
  const { eld } = await import('eld/extrasmall');
  eld.enableTextCleanup(true);
  const found = eld.detect(text);
  return { code: found.language === '' ? null : found.language, isReliable: found.isReliable() };
}
