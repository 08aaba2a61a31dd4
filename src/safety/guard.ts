/**
 * The output guard: reads the assistant's text as it is generated and lets a character out only
 * when it can no longer belong to a forbidden phrase, so that not one character of such a phrase
 * leaks (cases M01, M03). Text that cannot begin a phrase passes at once.
 */
import { GUARD_PATTERNS } from './guard-patterns.ts';

/** Said after a guarded stop, in place of the rest. */
export const GUARD_REPLY =
  'I stopped what I was writing, because it was not something I should say. I’m an AI, and I’m still here to talk about how you are.';

export interface Guard {
  /** Takes the next piece of text; returns what is safe to send now, possibly ''. */
  push(text: string): string;
  /** Ends the text; returns what was still held back. */
  flush(): string;
  /** Category of the phrase that was found, or null. Once set, nothing more is let out. */
  readonly blocked: string | null;
}

/** Longest name inside `<|...|>`; anything longer is no control token. */
const LONGEST_TOKEN = 64;

interface Node {
  readonly next: Map<string, Node>;
  /** Category of the phrase that ends here. */
  ends: string | null;
}

/** Every spelling-out of a phrase with choices and optional parts, as lists of words. */
export function spellings(phrase: string): readonly string[] {
  const parts = phrase.match(/\((?:[^()]|\([^()]*\)\??)*\)\??,?|\S+/g) ?? [];
  let all: readonly string[] = [''];
  for (const raw of parts) {
    const part = raw.replace(/,\??$/, '');
    const optional = part.endsWith('?');
    const core = optional ? part.slice(0, -1) : part;
    const choices = core.startsWith('(')
      ? splitChoices(core.slice(1, -1)).flatMap((choice) => spellings(choice.trim()))
      : [core];
    const options = optional ? ['', ...choices] : choices;
    all = all.flatMap((start) => options.map((end) => (end === '' ? start : `${start} ${end}`)));
  }
  return [...new Set(all.map((text) => text.trim()))];
}

function splitChoices(text: string): readonly string[] {
  const out: string[] = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === '|' && depth === 0) out.push('');
    else out.push((out.pop() ?? '') + sign);
  }
  return out;
}

function buildTrie(): Node {
  const root: Node = { next: new Map(), ends: null };
  for (const { category, phrase } of GUARD_PATTERNS) {
    for (const text of spellings(phrase)) {
      let node = root;
      for (const sign of text) {
        let child = node.next.get(sign);
        if (!child) {
          child = { next: new Map(), ends: null };
          node.next.set(sign, child);
        }
        node = child;
      }
      node.ends ??= category;
    }
  }
  return root;
}

let trie: Node | null = null;

const APOSTROPHES = /^['’‘ʼ`´]$/u;
const WORD_SIGN = /^[\p{L}\p{N}']$/u;
// Invisible signs and loose accents: they neither break a phrase nor belong to it.
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{M}]$/u;
const LETTER = /^[\p{L}\p{N}]$/u;
// What may stand between two words of a phrase: blanks, pauses, markdown, quotes, hyphens.
const GAP = /^[\s,*_~"“”()\-–—]$/u;

/** How a character counts for matching: a letter, ' ' for a gap, '' for none, null for a break. */
function reading(sign: string): string | null {
  if (INVISIBLE.test(sign)) return '';
  if (APOSTROPHES.test(sign)) return "'";
  if (GAP.test(sign)) return ' ';
  if (!WORD_SIGN.test(sign)) return null;
  return sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

interface Thread {
  /** Offset in the held text at which this possible phrase begins. */
  readonly start: number;
  readonly node: Node;
  /** Inside a gap between two words. */
  readonly gap: boolean;
}

/** Follows one character; a gap counts once however long it is. */
function follow(thread: Thread, read: string): Thread | null {
  if (read === ' ') {
    if (thread.gap) return thread;
    const child = thread.node.next.get(' ');
    return child ? { ...thread, node: child, gap: true } : null;
  }
  let node: Node | undefined = thread.node;
  for (const letter of read) node = node?.next.get(letter);
  return node ? { ...thread, node, gap: false } : null;
}

/**
 * A guard for one reply.
 *
 * @example const guard = createGuard(); send(guard.push(piece)); // … send(guard.flush());
 */
export function createGuard(): Guard {
  trie ??= buildTrie();
  const root = trie;
  let held = '';
  let threads: readonly Thread[] = [];
  let token: number | null = null;
  let afterLetter = false;
  let half = '';
  let blocked: string | null = null;

  /** Category of a phrase that is complete when the word ends here. */
  const ended = (): string | null =>
    threads.find(({ node }) => node.ends !== null)?.node.ends ?? null;

  const openToken = (sign: string): boolean => {
    const at = held.length - sign.length;
    if (token === null) {
      if (sign === '<') token = at;
      return false;
    }
    const body = held.slice(token);
    if (body.length >= 2 && body.charAt(1) !== '|') token = sign === '<' ? at : null;
    else if (body.length > 3 && body.endsWith('|>')) return true;
    else if (body.length > LONGEST_TOKEN + 4 || /\s/.test(sign)) token = sign === '<' ? at : null;
    return false;
  };

  const read = (sign: string): void => {
    held += sign;
    if (openToken(sign)) {
      blocked = 'control_token';
      return;
    }
    const value = reading(sign);
    if (value === '') return;
    const inWord = value !== null && value !== ' ';
    // An apostrophe may be a closing quote, so it ends a phrase as a full stop does.
    if (!inWord || value === "'") blocked = ended();
    if (blocked !== null) return;
    const alive = value === null ? [] : threads.flatMap((thread) => follow(thread, value) ?? []);
    const begins = inWord && !afterLetter;
    const first = begins
      ? follow({ start: held.length - sign.length, node: root, gap: false }, value)
      : null;
    threads = first ? [...alive, first] : alive;
    afterLetter = LETTER.test(sign);
  };

  const release = (): string => {
    if (blocked !== null) return '';
    const keep = Math.min(held.length, threads[0]?.start ?? held.length, token ?? held.length);
    const out = held.slice(0, keep);
    held = held.slice(keep);
    threads = threads.map((thread) => ({ ...thread, start: thread.start - keep }));
    token = token === null ? null : token - keep;
    return out;
  };

  return {
    push(text: string): string {
      if (blocked !== null) return '';
      let whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      // The first half of a pair waits for the second, so that no broken character is sent.
      half = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
      whole = half === '' ? whole : whole.slice(0, -1);
      for (const sign of whole) {
        read(sign);
        if (blocked !== null) return safeStart();
      }
      return release();
    },
    flush(): string {
      if (blocked !== null) return '';
      held += half;
      half = '';
      blocked = ended();
      if (blocked !== null) return safeStart();
      const out = held;
      held = '';
      threads = [];
      token = null;
      return out;
    },
    get blocked(): string | null {
      return blocked;
    },
  };

  /** What stood before the phrase and was held with it by another possible phrase. */
  function safeStart(): string {
    const complete = threads.find(({ node }) => node.ends !== null)?.start ?? held.length;
    const start = blocked === 'control_token' ? (token ?? 0) : complete;
    // Whatever other possible phrases hold back goes too: nothing doubtful leaves.
    const keep = Math.min(start, threads[0]?.start ?? start, token ?? start);
    const out = held.slice(0, keep);
    held = '';
    threads = [];
    return out;
  }
}
