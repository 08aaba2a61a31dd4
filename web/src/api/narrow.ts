/**
 * Reading of `unknown` JSON without casts. Each reader returns `null` for a value of another
 * shape, so that a newer or broken server can never make the page throw.
 */

/** @returns the own fields of a plain object, or null. */
export function record(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map<string, unknown>(Object.entries(value));
}

/** @returns the value if it is a string, else null. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** @returns the value if it is a finite number, else null. */
export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * @param value anything; what is not an array reads as empty
 * @param read reader of one item
 * @returns the items that `read` understood, in order
 */
export function list<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const one = read(item);
    return one === null ? [] : [one];
  });
}

/** @returns the member of `members` that equals the value, else null. */
export function oneOf<T extends string>(value: unknown, members: readonly T[]): T | null {
  return members.find((member) => member === value) ?? null;
}

/** @returns the parsed JSON, or null where the text is not JSON. */
export function json(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}
