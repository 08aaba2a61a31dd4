/** Many requests, a bounded number of them at a time. */

/**
 * Maps with at most `lanes` items in work; results in the order of the items.
 * @param done told how many items are finished, after each
 * @throws the first failure of `work`; the lanes that still run are waited for
 */
export async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  { lanes, done }: { readonly lanes: number; readonly done?: (finished: number) => void },
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let finished = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && next < items.length) {
      const index = next++;
      const item = items[index];
      if (item === undefined) continue;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
      done?.(++finished);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
