/** An expected failure is a value. `F` is a tagged union, mapped to wire errors in one place. */
export type Result<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

/** Wrap a value. */
export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wrap a failure. */
export function failed<F>(failure: F): { readonly ok: false; readonly failure: F } {
  return { ok: false, failure };
}
