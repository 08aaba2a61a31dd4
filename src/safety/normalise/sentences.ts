/**
 * Cuts a folded text into sentences of plain words, which is the only form that rules see. Words
 * stand between blanks with a comma kept on the word before it: " i can not, i want to die ".
 */
import { decode, MAX_WORD, rejoined } from './decode.ts';
import { EXPANSIONS, PAIRS } from './expansions.ts';
import { fold } from './fold.ts';

/** Longest stretch that rules look at in one piece; longer sentences are cut with an overlap. */
const MAX_WORDS = 60;
const OVERLAP = 14;
/** Up to this many words before a blank line go on after it. */
const SHORT_LINE = 8;
/** A run of letters beyond this is kept as a name of itself and not read. */
const LONGEST = 64;

export interface Sentence {
  /** ` word word, word `: blanks at both ends. */
  readonly text: string;
  readonly words: readonly string[];
}

interface Piece {
  readonly word: string;
  /** What follows the word: nothing, a comma (or the like), or the end of the sentence. */
  stop: '' | ',' | '.';
}

// Most words of the rules need no folding; there are thousands of them at start-up.
const PLAIN = /^[a-z0-9]+$/;
const CHUNK = /(\S+)(\s*)/gu;
const EDGE_START = /^[^\p{L}\p{N}@$]+/u;
const ENDS = /[.!?。؟।]/;
const PAUSES = /[,;:()"“”«»—–、،]/;
const SEPARATOR = /([^\p{L}\p{N}\p{M}'@$|*+#]+)/u;
// Blank and comma are spelled out above; an address is one word whatever it contains.
const ADDRESS = /^[a-z]+:\/\//;

function splitEnd(chunk: string): readonly [string, string] {
  let end = chunk.length;
  while (end > 0 && !/[\p{L}\p{N}\p{M}@$*]/u.test(chunk.charAt(end - 1))) end -= 1;
  return [chunk.slice(0, end), chunk.slice(end)];
}

function apostropheParts(word: string): readonly string[] {
  if (!word.includes("'")) return [word];
  const bare = word.replace(/^'+|'+$/g, '');
  const whole = EXPANSIONS.get(bare);
  if (whole) return whole.split(' ');
  if (/in'$/.test(word)) return [`${bare}g`];
  const parts = bare.split("'").filter((part) => part !== '');
  return parts.length > 1 && parts.at(-1) === 's' ? parts.slice(0, -1) : parts;
}

/** Words of one spelling after decoding and expansion, remembered for the length of a text. */
function reader(known: ReadonlySet<string>): (spelling: string) => readonly string[] {
  const seen = new Map<string, readonly string[]>();
  const read = (spelling: string): readonly string[] => {
    if (spelling.length > LONGEST) return [spelling.slice(0, LONGEST)];
    const direct = EXPANSIONS.get(spelling);
    if (direct) return direct.split(' ');
    const out: string[] = [];
    for (const part of apostropheParts(spelling)) {
      for (const word of decode(part, known)) out.push(EXPANSIONS.get(word) ?? word);
    }
    return out.join(' ').split(' ');
  };
  return (spelling) => {
    let words = seen.get(spelling);
    if (!words) {
      words = read(spelling);
      seen.set(spelling, words);
    }
    return words;
  };
}

/** Exported for the pattern compiler, which must spell its words as texts are spelled. */
export function plainWords(text: string): readonly string[] {
  if (PLAIN.test(text)) return (EXPANSIONS.get(text) ?? text).split(' ');
  const out: string[] = [];
  for (const chunk of fold(text).split(/[\s-]+/u)) {
    if (chunk === '') continue;
    for (const part of apostropheParts(chunk))
      out.push(...(EXPANSIONS.get(part) ?? part).split(' '));
  }
  return out;
}

function stopOf(mark: string): '' | ',' | '.' {
  if (ENDS.test(mark)) return '.';
  return PAUSES.test(mark) ? ',' : '';
}

function chunkPieces(chunk: string, known: ReadonlySet<string>): Piece[] {
  const [core, tail] = splitEnd(chunk.replace(EDGE_START, ''));
  if (core === '') return [];
  const stop = stopOf(tail);
  if (ADDRESS.test(core)) return [{ word: 'link', stop }];
  if (!SEPARATOR.test(core)) return [{ word: core, stop }];
  const whole = decode(core, known);
  if (whole.length > 1 || whole[0] !== core) return [{ word: whole.join(' '), stop }];
  const parts = core.split(SEPARATOR);
  const words = parts.filter((_, at) => at % 2 === 0 && parts[at] !== '');
  const joined = rejoined(words, known);
  if (joined) return [{ word: joined, stop }];
  const out: Piece[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const word = parts[at] ?? '';
    const mark = parts[at + 1] ?? '';
    // "3.5" and "7:30" are one figure, not two sentences.
    const inNumber = /\d$/.test(word) && /^\d/.test(parts[at + 2] ?? '');
    if (word !== '') out.push({ word, stop: inNumber ? '' : stopOf(mark) });
  }
  const last = out.at(-1);
  if (last && stop !== '') last.stop = stop;
  return out;
}

/** The spelled word of a run of single letters; an article at either end may not belong to it. */
function spelled(run: readonly Piece[], known: ReadonlySet<string>): readonly Piece[] | null {
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const core = run.slice(from, run.length - to);
    if (core.length < 3) continue;
    const word = rejoined(
      core.map((piece) => piece.word),
      known,
    );
    if (!word) continue;
    const joined: Piece = { word, stop: core.at(-1)?.stop ?? '' };
    return [...run.slice(0, from), joined, ...run.slice(run.length - to)];
  }
  return null;
}

/** Joins single letters that spell a known word: "s u i c i d e". */
function joinLetters(pieces: readonly Piece[], known: ReadonlySet<string>): readonly Piece[] {
  const out: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    let end = at;
    while (end < pieces.length && pieces[end]?.word.length === 1 && end - at < MAX_WORD) end += 1;
    const run = pieces.slice(at, Math.max(end, at + 1));
    out.push(...(spelled(run, known) ?? run));
    at += run.length;
  }
  return out;
}

function toSentences(
  groups: readonly (readonly Piece[])[],
  known: ReadonlySet<string>,
): Sentence[] {
  const read = reader(known);
  const out: Sentence[] = [];
  for (const group of groups) {
    const words: string[] = [];
    for (const piece of group) {
      const plain = piece.word.includes(' ') ? piece.word.split(' ') : [piece.word];
      for (const [at, spelling] of plain.entries()) {
        const meant = read(spelling);
        words.push(...meant.slice(0, -1));
        const last = meant.at(-1) ?? spelling;
        const pair = PAIRS.get(`${words.at(-1) ?? ''} ${last}`);
        if (pair) words.pop();
        const mark = at === plain.length - 1 && piece.stop !== '' ? ',' : '';
        const again = pair ? PAIRS.get(`${words.at(-1) ?? ''} ${pair}`) : undefined;
        if (again) words.pop();
        const text = (again ?? pair ?? last).split(' ');
        for (const [index, word] of text.entries()) {
          words.push(index === text.length - 1 ? word + mark : word);
        }
      }
    }
    for (let at = 0; at < words.length; at += MAX_WORDS - OVERLAP) {
      const part = words.slice(at, at + MAX_WORDS);
      const text = ` ${part.join(' ').replace(/,$/, '')} `;
      out.push({ text, words: part.map((word) => word.replace(/,$/, '')) });
      if (at + MAX_WORDS >= words.length) break;
    }
  }
  return out;
}

/**
 * Sentences of a text, in order. Time and memory are linear in the length of the text.
 *
 * @param known every word that occurs in a rule: only those are read out of odd spellings
 */
export function sentences(text: string, known: ReadonlySet<string>): readonly Sentence[] {
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  const close = (): void => {
    if (group.length === 0) return;
    const before = groups.at(-1);
    // "I. Want. To. Die." is one sentence: full stops after single words do not part them.
    if (group.length === 1 && before && before.length < MAX_WORDS && before.every(isAlone)) {
      before.push(...group);
    } else groups.push(group);
    group = [];
  };
  for (const match of fold(text).matchAll(CHUNK)) {
    for (const piece of chunkPieces(match[1] ?? '', known)) {
      group.push(piece);
      if (piece.stop === '.') close();
    }
    // A blank line after a few words is a line broken for effect, not an end.
    if (group.length > SHORT_LINE && /\n\s*\n/.test(match[2] ?? '')) close();
  }
  close();
  return toSentences(
    groups.map((pieces) => joinLetters(pieces, known)),
    known,
  );
}

function isAlone(piece: Piece): boolean {
  return piece.stop === '.';
}
