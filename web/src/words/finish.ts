/** What a person should know about how a reply ended. */
import type { FinishReason } from '../../../src/turn/events.ts';

/** @returns a quiet sentence, or null where the reply simply ended. */
export function finishNote(finish: FinishReason | null): string | null {
  switch (finish) {
    case 'degraded':
      return 'The full model could not be reached, so this is a short reply without it.';
    case 'guard':
      return 'Part of this reply was held back to keep you safe.';
    case 'length':
      return 'This reply reached its longest allowed length.';
    case 'interrupted':
      return 'This reply was stopped before its end.';
    case 'stop':
    case null:
      return null;
  }
}
