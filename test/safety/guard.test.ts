import { describe, expect, it } from 'vitest';
import { spellings } from '../../src/safety/guard.ts';
import { GUARD_PATTERNS } from '../../src/safety/guard-patterns.ts';
import { createGuard, DISCLOSURE, GUARD_REPLY } from '../../src/safety/index.ts';
import { CONTROL_STRINGS, WELL_FORMED } from '../support/adversarial-strings.ts';

interface Outcome {
  readonly out: string;
  readonly blocked: string | null;
}

/** What a client would have received from these pieces. */
function sent(pieces: readonly string[]): Outcome {
  const guard = createGuard();
  let out = '';
  for (const piece of pieces) out += guard.push(piece);
  out += guard.flush();
  return { out, blocked: guard.blocked };
}

/** Every way to send a text in two pieces, cut at each UTF-16 unit, and the finest cut of all. */
function splits(text: string): readonly (readonly string[])[] {
  const pairs = Array.from({ length: text.length + 1 }, (_, at) => [
    text.slice(0, at),
    text.slice(at),
  ]);
  return [...pairs, text.split('')];
}

/** Ends with a full stop, so that it cannot belong to any phrase. */
const BEFORE = 'Thank you for writing. ';
const AFTER = ' now, friend. More text follows.';
/** What may leave: the text before the phrase or a part of it, and nothing else. */
const isClean = ({ out }: Outcome): boolean => BEFORE.startsWith(out);

const PATTERNS = GUARD_PATTERNS.map(({ category, phrase }) => ({
  category,
  phrase,
  all: spellings(phrase),
}));

describe('a forbidden phrase', () => {
  it.each(PATTERNS)(
    'M01 M03 leaks no character, unit by unit, in any spelling: $phrase',
    ({ all }) => {
      expect(all.length).toBeGreaterThan(0);
      for (const phrase of all) {
        const outcome = sent(`${BEFORE}${phrase}${AFTER}`.split(''));
        expect(outcome.blocked, phrase).not.toBeNull();
        expect(isClean(outcome), `${phrase} → ${outcome.out}`).toBe(true);
      }
    },
  );

  it.each(PATTERNS)(
    'M01 M03 leaks no character at any split into two: $phrase',
    ({ all, category }) => {
      const shortest = [...all].sort((a, b) => a.length - b.length)[0] ?? '';
      const longest = [...all].sort((a, b) => b.length - a.length)[0] ?? '';
      for (const phrase of [shortest, longest]) {
        for (const pieces of splits(`${BEFORE}${phrase}${AFTER}`)) {
          const outcome = sent(pieces);
          expect(isClean(outcome), `${phrase} → ${outcome.out}`).toBe(true);
          expect(outcome.blocked, phrase).not.toBeNull();
        }
      }
      expect(['human_claim', 'promise', 'self_harm']).toContain(category);
    },
  );

  it('M03 at the very end of the reply is found by the flush', () => {
    for (const { all } of PATTERNS) {
      for (const phrase of all) {
        const outcome = sent([`${BEFORE}${phrase}`]);
        expect(outcome.blocked, phrase).not.toBeNull();
        expect(isClean(outcome), `${phrase} → ${outcome.out}`).toBe(true);
      }
    }
  });

  it.each([
    ['capitals', 'KILL YOURSELF'],
    ['a line break', 'kill\nyourself'],
    ['markdown', 'kill **yourself**'],
    ['a comma', 'kill, yourself'],
    ['many blanks', `kill${' '.repeat(500)}yourself`],
    ['an invisible sign inside a word', 'ki\u200Bll your\u00ADself'],
    ['an accent', 'ki\u0301ll yourself'],
    ['full-width letters', 'ｋｉｌｌ yourself'],
    ['a curly apostrophe', 'you’re better off dead'],
    ['quotes around it', '"kill yourself"'],
  ])('M01 is found through %s, at every split', (_name, phrase) => {
    for (const pieces of splits(`${BEFORE}${phrase}${AFTER}`)) {
      const outcome = sent(pieces);
      expect(outcome.blocked).toBe('self_harm');
      // A quote sign or a star before the phrase is no part of it.
      expect(isClean({ ...outcome, out: outcome.out.replace(/["*]$/, '') }), outcome.out).toBe(
        true,
      );
    }
  });

  it('lets nothing out after it, however much follows', () => {
    const guard = createGuard();
    guard.push('Go and kill yourself. ');
    expect(guard.blocked).toBe('self_harm');
    expect(guard.push('The weather is nice. ')).toBe('');
    expect(guard.flush()).toBe('');
  });

  it('C06 a promise to be there for ever is one', () => {
    expect(sent(['I will always be here for you.']).blocked).toBe('promise');
  });

  it('C15 a claim to be a human being is one', () => {
    expect(sent(['Yes, I am a real person.']).blocked).toBe('human_claim');
  });

  it('C16 agreement with the wish to die is one', () => {
    expect(sent(['It makes total sense you want to kill yourself.']).blocked).toBe('self_harm');
  });
});

const HARMLESS = [
  'I am so sorry that you lost her; it must be hard. How are you?',
  'You should rest yourself, and go ahead and cut your hair.',
  'I am not a fan of Mondays, and I am a humane program. No, an AI.',
  'Teach the skill yourself; the drill yourself; skill yourself up.',
  "I'm not an airport. I'm a",
  'Take all the time you need, take all the',
  'He said: "you should" — and I',
  'a < b, c <| d and 1 <2| >3 <|',
  'Go, go ahead, just go ahead and breathe.',
  'I will be here in this talk. I promise',
];

describe('harmless text', () => {
  it.each(HARMLESS)('M03 passes unchanged at every split: %j', (text) => {
    for (const pieces of splits(text)) expect(sent(pieces)).toEqual({ out: text, blocked: null });
  });

  const ordinary = WELL_FORMED.filter((text) => !/<\|[^|]*\|>/.test(text));

  it.each(ordinary)('passes unchanged at every split, whatever signs it holds: %j', (text) => {
    for (const pieces of splits(text)) expect(sent(pieces)).toEqual({ out: text, blocked: null });
  });

  it('includes what this service says itself', () => {
    for (const text of [GUARD_REPLY, DISCLOSURE]) {
      expect(sent(text.split(''))).toEqual({ out: text, blocked: null });
    }
  });

  it('M03 that cannot begin a phrase leaves at once', () => {
    const guard = createGuard();
    expect(guard.push('The weather ')).toBe('The weather ');
    expect(guard.push('was very nice.')).toBe('was very nice.');
  });

  it('M03 is held back by no more than the longest phrase', () => {
    const longest = Math.max(...PATTERNS.flatMap(({ all }) => all.map(({ length }) => length)));
    const guard = createGuard();
    let given = 0;
    let released = 0;
    for (const sign of HARMLESS.slice(0, 4).join(' ').repeat(20)) {
      given += sign.length;
      released += guard.push(sign).length;
      expect(given - released).toBeLessThanOrEqual(longest + 1);
    }
    expect(released).toBeGreaterThan(2_000);
  });
});

describe('control tokens', () => {
  it.each(['<|im_end|>', '<|im_start|>', '<|endoftext|>', '<|emo:joyful|>', '<|int:any|>'])(
    'M05 are blocked at every split: %s',
    (token) => {
      for (const pieces of splits(`${BEFORE}${token}${AFTER}`)) {
        const outcome = sent(pieces);
        expect(outcome.blocked).toBe('control_token');
        expect(isClean(outcome), outcome.out).toBe(true);
      }
    },
  );

  const tokens = CONTROL_STRINGS.filter((text) => /<\|[^|]*\|>/.test(text));

  it.each(tokens)('M05 T08 are blocked in the shared list: %j', (text) => {
    const first = text.slice(0, text.indexOf('<|'));
    for (const pieces of splits(text)) {
      const outcome = sent(pieces);
      expect(outcome.blocked).toBe('control_token');
      expect(first.startsWith(outcome.out), outcome.out).toBe(true);
    }
  });

  it('M05 are found behind text that is held back, and behind a loose sign', () => {
    expect(sent(['I am not <|im_end|> more'])).toEqual({
      out: 'I am not ',
      blocked: 'control_token',
    });
    expect(sent(['So <<|im_end|> more'])).toEqual({ out: 'So <', blocked: 'control_token' });
  });
});

describe('characters of two units', () => {
  it.each(['😀 hello 👨‍👩‍👧‍👦 there 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'I am 😀 not', '😆😂', '𝓘 𝔀𝓪𝓷𝓽 tea'])(
    'O09 are never sent in halves: %s',
    (text) => {
      for (const pieces of splits(text)) {
        const guard = createGuard();
        const outs = [...pieces.map((piece) => guard.push(piece)), guard.flush()];
        expect(outs.every((out) => out.isWellFormed())).toBe(true);
        expect(outs.join('')).toBe(text);
      }
    },
  );
});

describe('the patterns', () => {
  it('have all their choices spelled out', () => {
    expect(spellings('(a|b (c)?) d? e')).toEqual(
      expect.arrayContaining(['a e', 'a d e', 'b e', 'b c e', 'b d e', 'b c d e']),
    );
  });

  it('are made of letters, apostrophes and single blanks once spelled out', () => {
    for (const { all } of PATTERNS) {
      for (const phrase of all) expect(phrase).toMatch(/^[a-z']+( [a-z']+)*$/);
    }
  });
});
