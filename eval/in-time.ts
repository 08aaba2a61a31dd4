/** Waiting that ends. */

/**
 * What a promise gives, or an error that says what was waited for. The work itself goes on: whoever
 * gives up on it ends the process.
 * @param options.ms milliseconds that are waited at most
 * @throws `… took longer than N s`, and what the promise throws
 */
export async function inTime<T>(
  promise: Promise<T>,
  { ms, what }: { readonly ms: number; readonly what: string },
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for an ending at most ten seconds; one that fails or hangs hides no earlier error. */
export async function ended(closing: Promise<unknown>): Promise<void> {
  await inTime(closing, { ms: 10_000, what: 'the end' }).catch(() => undefined);
}
