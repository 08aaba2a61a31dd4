/** How far a long run is, for people who wait. Pure but for what it is given. */

/** A line at most so often. */
const EVERY_MS = 10_000;

/**
 * A function to call after each finished item; it writes a line now and then, and one at the end.
 * @param io.now milliseconds; only differences count
 */
export function progressTo(io: {
  readonly write: (line: string) => void;
  readonly now: () => number;
}): (finished: number, of: number) => void {
  const started = io.now();
  let last = started;
  return function report(finished, of) {
    const now = io.now();
    if (finished < of && now - last < EVERY_MS) return;
    last = now;
    io.write(`${finished} of ${of}, ${Math.round((now - started) / 1_000)} s`);
  };
}
