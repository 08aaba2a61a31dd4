/** How far a long run is, for people who wait. Pure but for what it is given. */

/** A line at most so often. */
const EVERY_MS = 10_000;

/**
 * A function to call before the first item (`finished` 0) and after each finished one; it writes a line
 * at the beginning, now and then, and one at the end. The time that is left is what the rest takes at
 * the mean pace since the beginning.
 * @param io.now milliseconds; only differences count
 */
export function progressTo(io: {
  readonly write: (line: string) => void;
  readonly now: () => number;
}): (finished: number, of: number) => void {
  let started = io.now();
  let last = started;
  return function report(finished, of) {
    const now = io.now();
    if (finished === 0) {
      // What came before, such as the start of a server, is not the pace of the items.
      started = now;
      last = now;
      io.write(`0 of ${of}`);
      return;
    }
    if (finished < of && now - last < EVERY_MS) return;
    last = now;
    const passed = now - started;
    const left = (passed / finished) * (of - finished);
    const rest = finished < of ? `, about ${seconds(left)} s left` : '';
    io.write(`${finished} of ${of}, ${seconds(passed)} s${rest}`);
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
