/** Words of a message with their places, contractions taken apart as far as tense needs it. */

export interface Word {
  /** Lower case, straight apostrophes; a contracted verb keeps its apostrophe: `'m`, `'ve`. */
  readonly form: string;
  /** UTF-16 offsets in the text, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** What stands between the word before and this one. */
  readonly gap: 'sentence' | 'comma' | 'space';
}

/** Typed without an apostrophe: where the subject ends, and the verb that is meant. */
const RUN_TOGETHER: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['im', ['i', "'m"]],
  ['ive', ['i', "'ve"]],
  ['youre', ['you', "'re"]],
  ['youve', ['you', "'ve"]],
  ['theyre', ['they', "'re"]],
  ['theyve', ['they', "'ve"]],
  ['weve', ['we', "'ve"]],
  ['hes', ['he', "'s"]],
  ['shes', ['she', "'s"]],
  ['thats', ['that', "'s"]],
  ['theres', ['there', "'s"]],
  ['whats', ['what', "'s"]],
]);

const NEGATED: ReadonlyMap<string, string> = new Map(
  ['isnt', 'arent', 'wasnt', 'werent', 'dont', 'doesnt', 'didnt', 'havent', 'hasnt', 'hadnt']
    .concat(['cant', 'couldnt', 'wont', 'wouldnt', 'shouldnt', 'aint'])
    .map((typed) => [typed, `${typed.slice(0, -1)}'t`]),
);

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const CONTRACTED = /^(.+)('(?:m|re|s|ve|ll|d))$/;
const SENTENCE_END = /[.?!…;:\n\r()]|\s[-–]+\s|—/u;

/** The words in order. Linear in the length of the text. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let behind = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const raw = match[0];
    const gap = gapOf(text.slice(behind, start), words.length === 0);
    words.push(...pieces(raw, start, gap));
    behind = start + raw.length;
  }
  return words;
}

function gapOf(between: string, first: boolean): Word['gap'] {
  if (first || SENTENCE_END.test(between)) return 'sentence';
  return between.includes(',') ? 'comma' : 'space';
}

function pieces(raw: string, start: number, gap: Word['gap']): Word[] {
  const form = raw.toLowerCase().replaceAll('’', "'");
  const end = start + raw.length;
  const [subject, verb] = RUN_TOGETHER.get(form) ?? CONTRACTED.exec(form)?.slice(1) ?? [];
  if (subject === undefined || verb === undefined) {
    return [{ form: NEGATED.get(form) ?? form, start, end, gap }];
  }
  // Counted from the end: lower-casing can change the length of a foreign word before it.
  const at = RUN_TOGETHER.has(form) ? start + subject.length : end - verb.length;
  return [
    { form: subject, start, end: at, gap },
    { form: verb, start: at, end, gap: 'space' },
  ];
}
