/** Ends a turn when nobody has listened for the grace time; a new listener cancels that. */
import { GRACE_MS } from '../limits.ts';

/**
 * @param stop called once the grace time is over
 * @returns to be told whether anybody listens
 */
export function audienceTimer(stop: () => void): (present: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return function onAudience(present) {
    clearTimeout(timer);
    if (!present) timer = setTimeout(stop, GRACE_MS);
  };
}
