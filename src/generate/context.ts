/** What the language model gets to see of a session. */
import type { DialogueTurn } from '../affect/types.ts';
import { CONTEXT_CHARS } from '../limits.ts';

/**
 * The newest turns that fit the budget, oldest first. The newest message is never dropped: when it
 * alone is too long, its end is kept, cut at a character and not inside one.
 * @param budget characters (UTF-16 code units)
 */
export function recentTurns(
  turns: readonly DialogueTurn[],
  budget: number = CONTEXT_CHARS,
): readonly DialogueTurn[] {
  const kept: DialogueTurn[] = [];
  let rest = budget;
  for (const turn of turns.toReversed()) {
    // White space at the end would push the words out of what is kept.
    const text = turn.text.trimEnd();
    if (text === '') continue;
    if (text.length > rest) {
      if (kept.length === 0) kept.push({ role: turn.role, text: tail(text, rest) });
      break;
    }
    kept.push({ role: turn.role, text });
    rest -= text.length;
  }
  return kept.reverse();
}

function tail(text: string, length: number): string {
  const cut = text.slice(-length);
  const first = cut.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
}
