/** From WordPieces back to the words that a person typed. */
import type { Span } from './align.ts';
import type { PlacedTurn } from './layout.ts';
import type { Token } from './tokenizer.ts';

/** A word of a message: something that holds a letter. */
export interface TypedWord extends Span {
  /** As it stands in the message. */
  readonly typed: string;
  /** Positions of its pieces in the sequence, punctuation inside it left out. */
  readonly positions: readonly number[];
  /** Whether the vocabulary holds each of its parts, be it in pieces. */
  readonly known: boolean;
  /** Whether the vocabulary holds each of its parts whole. */
  readonly whole: boolean;
}

interface Part extends Span {
  readonly typed: string;
  readonly positions: readonly number[];
  readonly known: boolean;
}

const LETTER = /\p{L}/u;
const WORDLIKE = /^[\p{L}\p{N}]/u;
/** Between two parts, with no gap: "don't", "mother-in-law". */
const JOINT = /^['’‘ʼ-]$/;

/**
 * The words of one turn that have a place in the sequence, whole, in order. They do not overlap.
 *
 * @param text of the turn, as given.
 * @param isWord whether an id is a piece of a known word.
 */
export function typedWords(
  text: string,
  turn: PlacedTurn<Token>,
  isWord: (id: number) => boolean,
): TypedWord[] {
  const words: TypedWord[] = [];
  for (const parts of joined(partsOf(text, turn, isWord))) {
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) continue;
    const typed = text.slice(first.start, last.end);
    if (!LETTER.test(typed)) continue;
    // One code point may stand for several words; such a one is an emoji, or it counts once.
    if (first.start < (words.at(-1)?.end ?? 0)) continue;
    const positions = parts.flatMap((part) => part.positions);
    // What the window cut in two is no word.
    if (positions.some((position) => position < turn.at)) continue;
    const known = parts.every((part) => part.known);
    const whole = known && positions.length === parts.length;
    words.push({ start: first.start, end: last.end, typed, positions, known, whole });
  }
  return words;
}

/**
 * The pieces of each word put together, cut ones too, whose positions lie before the turn's;
 * punctuation marks are parts of their own.
 */
function partsOf(text: string, turn: PlacedTurn<Token>, isWord: (id: number) => boolean): Part[] {
  const pieces = new Map<number, { token: Token; position: number }[]>();
  const first = turn.at - turn.cut.length;
  for (const [index, token] of [...turn.cut, ...turn.tokens].entries()) {
    const piece = { token, position: first + index };
    const siblings = pieces.get(token.word);
    if (siblings === undefined) pieces.set(token.word, [piece]);
    else siblings.push(piece);
  }
  return Array.from(pieces.values(), (siblings) => {
    const start = siblings[0]?.token.start ?? 0;
    const end = siblings.at(-1)?.token.end ?? start;
    const typed = text.slice(start, end);
    return {
      start,
      end,
      typed,
      positions: siblings.map(({ position }) => position),
      known: !LETTER.test(typed) || siblings.some(({ token }) => isWord(token.id)),
    };
  });
}

/** Words with the parts that joints tie to them; the joints themselves are left out. */
function joined(parts: readonly Part[]): Part[][] {
  const words: Part[][] = [];
  for (const [index, part] of parts.entries()) {
    if (!WORDLIKE.test(part.typed)) continue;
    const joint = parts[index - 1];
    const before = words.at(-1);
    const end = before?.at(-1)?.end;
    const isTied =
      joint !== undefined &&
      JOINT.test(joint.typed) &&
      joint.start === end &&
      joint.end === part.start;
    if (isTied && before !== undefined) before.push(part);
    else words.push([part]);
  }
  return words;
}
