/** Which tokens of which sequences go into the next llama.cpp batch. */
import { FILL_BESIDE_REPLIES, MAX_GAP } from '../constants.ts';

/** A sequence that waits for the evaluation of some tokens. */
export interface Waiting {
  /** Number of the sequence in its context. */
  readonly sequence: number;
  /** Tokens left to evaluate, at least one. */
  readonly tokens: number;
  /** Someone reads along: the next token of a reply. All else is prompts and given replies. */
  readonly reply: boolean;
  /** Never in a batch with others. */
  readonly alone: boolean;
}

/** Tokens of one sequence in a batch. */
export interface Share<W extends Waiting> {
  readonly item: W;
  readonly tokens: number;
}

/**
 * Fill a batch. Replies come first, a token each; prompts fill the rest, but beside replies no more
 * than FILL_BESIDE_REPLIES tokens together, so that a long prompt holds nobody up for long. Who has
 * waited longest is always served, so nobody starves; a sequence of its own takes turns with the
 * shared batches.
 *
 * @param waiting in the order in which they asked; a sequence asks again for each token of a reply
 * @param size tokens of a batch
 * @returns shares by rising sequence: llama.cpp evaluates neighbours together, and its rows are
 *   then mostly in order
 */
export function nextBatch<W extends Waiting>(
  waiting: readonly W[],
  size: number,
): readonly Share<W>[] {
  const [first] = waiting;
  if (first === undefined) return [];
  if (first.alone) return [{ item: first, tokens: Math.min(first.tokens, size) }];
  const together = waiting.filter(({ alone }) => !alone);
  const replies = together.filter(({ reply }) => reply);
  const prompts = together.filter(({ reply }) => !reply);
  const shares: Share<W>[] = [];
  let room = size;
  const serve = (item: W, limit: number) => {
    const tokens = Math.min(item.tokens, limit);
    if (tokens > 0) shares.push({ item, tokens });
    room -= tokens;
    return tokens;
  };
  // The prompt that has waited longest keeps a place even when replies alone would fill the batch.
  for (const item of replies) serve(item, room - (prompts.length > 0 ? 1 : 0));
  let fill = replies.length > 0 ? Math.min(room, FILL_BESIDE_REPLIES) : room;
  for (const item of prompts) fill -= serve(item, fill);
  return shares.sort((a, b) => a.item.sequence - b.item.sequence);
}

/**
 * Idle sequences between those of a batch. llama.cpp evaluates only sequences with neighbouring
 * numbers together and begins anew behind each gap, which costs more than a few idle tokens.
 * @param sequences by rising number
 * @returns the idle ones of gaps of at most MAX_GAP
 */
export function gapsOf(sequences: readonly number[]): readonly number[] {
  return sequences.flatMap((sequence, index) => {
    const next = sequences[index + 1] ?? sequence;
    const between = next - sequence - 1;
    if (between > MAX_GAP) return [];
    return Array.from({ length: Math.max(0, between) }, (_, step) => sequence + 1 + step);
  });
}
