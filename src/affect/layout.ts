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

export interface LayoutOptions<Token> {
  readonly ids: LayoutIds;
  /** Longest sequence, `[CLS]` and `[SEP]` included. */
  readonly maxTokens: number;
  /** Tokens of one turn's text alone. Called newest turn first, only while there is room. */
  readonly tokens: (text: string) => readonly Token[];
  readonly idOf: (token: Token) => number;
}

/** A turn, or the end of one, that has a place in the sequence. */
export interface PlacedTurn<Token> {
  /** Index of the turn among those given. */
  readonly message: number;
  readonly tokens: readonly Token[];
  /** Position in the sequence of the first of `tokens`; the others follow. */
  readonly at: number;
  /** Tokens of the turn before `tokens`, for which there was no room. */
  readonly cut: readonly Token[];
}

export interface Sequence<Token> {
  /** At least `[CLS] [SEP]`; nothing more when there is nothing to read. */
  readonly ids: number[];
  /** Oldest first; none of them is empty. */
  readonly turns: readonly PlacedTurn<Token>[];
}

/**
 * `[CLS] mark text … mark text [SEP]`, oldest turn first. What does not fit is cut from the oldest
 * side, inside a turn too. A turn without tokens takes no mark; without any, the ids are
 * `[CLS] [SEP]`.
 *
 * @param turns oldest first; those after the person's latest turn are dropped, because the model was
 *   trained on, and judges, what the person said (case E05).
 */
export function layout<Token>(
  turns: readonly DialogueTurn[],
  { ids, maxTokens, tokens, idOf }: LayoutOptions<Token>,
): Sequence<Token> {
  const kept: (Omit<PlacedTurn<Token>, 'at'> & { mark: number })[] = [];
  let rest = maxTokens - 2;
  for (const [message, turn] of [...untilPerson(turns).entries()].toReversed()) {
    const room = rest - 1;
    if (room < 1) break;
    const all = tokens(turn.text);
    if (all.length === 0) continue;
    const latest = all.slice(-room);
    const mark = turn.role === 'user' ? ids.speaker : ids.listener;
    kept.unshift({ message, mark, tokens: latest, cut: all.slice(0, -latest.length) });
    rest = room - latest.length;
  }
  const sequence = [ids.cls];
  const placed = kept.map(({ message, mark, tokens, cut }) => {
    const at = sequence.push(mark);
    sequence.push(...tokens.map(idOf));
    return { message, tokens, at, cut };
  });
  sequence.push(ids.sep);
  return { ids: sequence, turns: placed };
}

/** The turns up to and including the person's latest one; none if the person said nothing. */
export function untilPerson(turns: readonly DialogueTurn[]): readonly DialogueTurn[] {
  return turns.slice(0, turns.findLastIndex((turn) => turn.role === 'user') + 1);
}
