/**
 * Reads single words that were written to slip past a filter: letters stretched ("diiie"), digits
 * and signs for letters ("k1ll", "su!c!de"), one letter starred out ("k*ll"), words run together
 * ("killmyself"). A reading is taken only when it is a word that some rule knows, so ordinary
 * words and names stay as they are.
 */

/** Longest word that is examined; longer runs of letters are no words of these languages. */
export const MAX_WORD = 40;

/** Words for which a starred-out or split spelling is tried. */
const HIDDEN_WORDS = [
  'kill',
  'killing',
  'killed',
  'die',
  'dying',
  'died',
  'dead',
  'death',
  'suicide',
  'suicidal',
  'myself',
  'overdose',
  'hang',
  'cut',
  'cutting',
  'murder',
  'noose',
  'harm',
  'selfharm',
  'pills',
];
const HIDDEN: ReadonlySet<string> = new Set(HIDDEN_WORDS);

/** A run-together word is taken apart only when it holds one of these. */
const STEMS =
  /kill|die|dying|suicid|myself|dead|alive|mylife|without|selfharm|exist|wakeup|goodbye/;

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '0': ['o'],
  '1': ['i', 'l'],
  '3': ['e'],
  '4': ['a'],
  '5': ['s'],
  '7': ['t'],
  '@': ['a'],
  $: ['s'],
  '!': ['i', 'l'],
  '|': ['l', 'i'],
  '+': ['t'],
  '(': ['c'],
};
const HAS_SIGN = /[0-9@$!|+(]/;
const HAS_STAR = /[*#]/;
// Eight readings cover three doubtful signs; a word with more is noise.
const MAX_READINGS = 8;

function signReadings(word: string): readonly string[] {
  let readings = [''];
  for (const letter of word) {
    const options = SIGNS[letter] ?? [letter];
    const next: string[] = [];
    for (const start of readings) for (const option of options) next.push(start + option);
    readings = next.slice(0, MAX_READINGS);
  }
  return readings;
}

function fitsStars(word: string, target: string): boolean {
  if (word.length !== target.length) return false;
  let seen = 0;
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charAt(at);
    if (letter === '*' || letter === '#') continue;
    if (letter !== target.charAt(at)) return false;
    seen += 1;
  }
  return seen >= 2 && seen * 2 >= target.length;
}

/**
 * Without stretched letters. A double letter is ordinary spelling ("sees", "dinner"), so only runs
 * of three or more may become any known word; doubles may only uncover a hidden one ("diee").
 */
function unstretched(word: string, known: ReadonlySet<string>): string | null {
  const fits = /(\p{L})\1\1/u.test(word) ? known : HIDDEN;
  const single = word.replace(/(\p{L})\1+/gu, '$1');
  if (single !== word && fits.has(single)) return single;
  const double = word.replace(/(\p{L})\1\1+/gu, '$1$1');
  if (double !== word && fits.has(double)) return double;
  // One run is the real double letter, the others are stretch: "killll myselfff", "sooo tirreed".
  const runs = [...word.matchAll(/(\p{L})\1+/gu)];
  for (const run of runs.slice(0, 4)) {
    const kept = word.slice(0, run.index).replace(/(\p{L})\1+/gu, '$1');
    const rest = word.slice(run.index + run[0].length).replace(/(\p{L})\1+/gu, '$1');
    const candidate = kept + run[0].slice(0, 2) + rest;
    if (candidate !== word && fits.has(candidate)) return candidate;
  }
  return null;
}

/** Splits letters without blanks into known words, or null. Quadratic in at most 40 letters. */
function segmented(word: string, known: ReadonlySet<string>): readonly string[] | null {
  const best: (readonly string[] | null)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    best[end] = null;
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      const part = word.slice(start, end);
      if (!before || !known.has(part) || (part.length === 1 && part !== 'i')) continue;
      const current = best[end];
      if (!current || before.length + 1 < current.length) best[end] = [...before, part];
    }
  }
  return best[word.length] ?? null;
}

/**
 * The word or words that a spelling stands for; the spelling itself when nothing fits.
 *
 * @param word folded, without blanks
 * @param known every word that occurs in a rule or an expansion
 */
export function decode(word: string, known: ReadonlySet<string>): readonly string[] {
  if (word.length < 3 || word.length > MAX_WORD || known.has(word)) return [word];
  if (HAS_STAR.test(word)) {
    const target = HIDDEN_WORDS.find((hidden) => fitsStars(word, hidden));
    return target ? [target] : [word];
  }
  const readings = HAS_SIGN.test(word) && /\p{L}/u.test(word) ? signReadings(word) : [word];
  for (const reading of readings) {
    if (known.has(reading)) return [reading];
    const short = unstretched(reading, known);
    if (short) return [short];
    if (reading.length >= 7 && STEMS.test(reading)) {
      const parts = segmented(reading, known);
      if (parts) return parts;
    }
  }
  return [word];
}

/** The hidden word that pieces of one chunk spell ("sui-cide", "k.i.l.l"), or null. */
export function rejoined(pieces: readonly string[], known: ReadonlySet<string>): string | null {
  const joined = pieces.join('');
  if (joined.length > MAX_WORD) return null;
  if (HIDDEN.has(joined)) return joined;
  if (pieces.length < 3 || pieces.some((piece) => piece.length > 2)) return null;
  const parts = decode(joined, known);
  return parts.length > 1 || known.has(parts[0] ?? '') ? parts.join(' ') : null;
}
