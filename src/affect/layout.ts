/** From turns to the token sequence that the graph reads (model/FORMAT.md, section 3). */
import type { DialogueTurn } from './types.ts';

/** Ids around the texts; no text can produce them, because the tokenizer declares no added token. */
export interface LayoutIds {
  readonly cls: number;
  readonly sep: number;
  /** Stands before a turn of the person (`user`). */
  readonly speaker: number;
  /** Stands before a turn of ours (`assistant`). */
  readonly listener: number;
}

export interface LayoutOptions {
  readonly ids: LayoutIds;
  /** Longest sequence, `[CLS]` and `[SEP]` included. */
  readonly maxTokens: number;
  /** Token ids of one turn's text alone. Called newest turn first, only while there is room. */
  readonly tokens: (text: string) => readonly number[];
}

/**
 * `[CLS] mark text … mark text [SEP]`, oldest turn first. What does not fit is cut from the oldest
 * side, inside a turn too. A turn without tokens takes no mark; without any, the result is
 * `[CLS] [SEP]`.
 *
 * @param turns oldest first; those after the person's latest turn are dropped, because the model was
 *   trained on, and judges, what the person said (case E05).
 */
export function layout(turns: readonly DialogueTurn[], options: LayoutOptions): number[] {
  const { ids, maxTokens, tokens } = options;
  const pieces: (readonly number[])[] = [];
  let rest = maxTokens - 2;
  for (const turn of untilPerson(turns).toReversed()) {
    const room = rest - 1;
    if (room < 1) break;
    const all = tokens(turn.text);
    if (all.length === 0) continue;
    const kept = all.slice(-room);
    pieces.push(kept, [turn.role === 'user' ? ids.speaker : ids.listener]);
    rest = room - kept.length;
  }
  return [ids.cls, ...pieces.toReversed().flat(), ids.sep];
}

/** The turns up to and including the person's latest one; none if the person said nothing. */
export function untilPerson(turns: readonly DialogueTurn[]): readonly DialogueTurn[] {
  return turns.slice(0, turns.findLastIndex((turn) => turn.role === 'user') + 1);
}
