/** Which words of a message are finite verbs, and what their form says about time. */
import type { Word } from './clause-words.ts';
import * as forms from './verb-forms.ts';

/**
 * `past`, `present`: the form says so. `modal`, `same`: the form says nothing ("would", "put") and
 * its surroundings decide.
 */
export type VerbTime = 'past' | 'present' | 'modal' | 'same';

/** How far back a subject or an auxiliary is looked for: past a few adverbs, no further. */
const REACH = 4;

const AT = { form: '', start: 0, end: 0, gap: 'sentence' } as const satisfies Word;

export function formAt(words: readonly Word[], index: number): string {
  return (words[index] ?? AT).form;
}

/** One entry per word; `null` where the word is no finite verb. */
export function verbTimes(words: readonly Word[]): (VerbTime | null)[] {
  return words.map((_, index) => verbTimeAt(words, index));
}

function verbTimeAt(words: readonly Word[], index: number): VerbTime | null {
  const form = formAt(words, index);
  if (forms.MODALS.has(form)) return modalTime(words, index);
  if (forms.PERFECT.has(form) && isPerfect(words, index)) return 'present';
  const governor = governorBefore(words, index);
  if (forms.PAST_AUXILIARIES.has(form)) return governor.kind === 'auxiliary' ? null : 'past';
  if (forms.PRESENT_AUXILIARIES.has(form)) return presentAuxiliary(governor, form);
  if (forms.PLAIN_PAST.has(form)) return governor.kind === 'auxiliary' ? null : 'past';
  if (isPastForm(form)) return pastOrParticiple(words, index, governor);
  if (forms.SAME_FORM.has(form)) return sameForm(governor);
  return presentForm(words, index, governor);
}

/** "'d better" is would, "'d been" is had; "couldn't" remembers, "couldn't be happier" does not. */
function modalTime(words: readonly Word[], index: number): VerbTime {
  const form = formAt(words, index);
  if (form === "'d") return isPerfect(words, index) ? 'past' : 'present';
  const isNegated = form === 'could' && formAt(words, index + 1) === 'not';
  const next = formAt(words, index + (isNegated ? 2 : 1));
  return (isNegated || form === "couldn't") && next !== 'be' ? 'past' : 'modal';
}

/** A participle follows, adverbs between them not counted. */
export function isPerfect(words: readonly Word[], index: number): boolean {
  let at = index + 1;
  while (at <= index + REACH && forms.ADVERBS.has(formAt(words, at))) at += 1;
  const form = formAt(words, at);
  return forms.PARTICIPLES.has(form) || forms.PAST_OR_PARTICIPLE.has(form) || isRegularPast(form);
}

interface Governor {
  readonly kind: 'auxiliary' | 'subject' | 'determiner' | 'none' | 'other';
  readonly form: string;
}

/** What stands before a word, adverbs not counted, within its stretch between two signs. */
function governorBefore(words: readonly Word[], index: number): Governor {
  for (let at = index; at > Math.max(0, index - REACH); at -= 1) {
    if ((words[at] ?? AT).gap !== 'space') return { kind: 'none', form: '' };
    const form = formAt(words, at - 1);
    if (forms.ADVERBS.has(form)) continue;
    return { kind: kindOf(form), form };
  }
  return { kind: index === 0 ? 'none' : 'other', form: '' };
}

function kindOf(form: string): Governor['kind'] {
  if (forms.COPULAS.has(form) || forms.MODALS.has(form)) return 'auxiliary';
  if (forms.PRESENT_AUXILIARIES.has(form) || forms.PAST_AUXILIARIES.has(form)) return 'auxiliary';
  if (forms.SUBJECTS.has(form)) return 'subject';
  if (forms.DETERMINERS.has(form) || forms.PREPOSITIONS.has(form)) return 'determiner';
  return forms.CONNECTIVES.has(form) ? 'none' : 'other';
}

/** "to have", "would have", "may have": not finite after another auxiliary or after "to". */
function presentAuxiliary(governor: Governor, form: string): VerbTime | null {
  if (form === 'have' || form === 'do' || form === 'need') {
    return governor.kind === 'subject' || governor.kind === 'none' ? 'present' : null;
  }
  return governor.kind === 'auxiliary' && form !== "'s" ? null : 'present';
}

export function isRegularPast(form: string): boolean {
  return form.length > 3 && form.endsWith('ed') && !forms.NOT_VERBS.has(form);
}

function isPastForm(form: string): boolean {
  return forms.PAST_OR_PARTICIPLE.has(form) || isRegularPast(form);
}

function pastOrParticiple(
  words: readonly Word[],
  index: number,
  governor: Governor,
): VerbTime | null {
  const form = formAt(words, index);
  switch (governor.kind) {
    case 'subject':
      return 'past';
    case 'auxiliary':
    case 'determiner':
      return null;
    case 'none':
      // "Lost my job" tells, "Lost and alone" describes.
      if (!forms.STATES.has(form)) return 'past';
      return forms.DETERMINERS.has(formAt(words, index + 1)) ? 'past' : null;
    case 'other':
      return forms.STATES.has(form) && governor.form.endsWith('ly') ? null : 'past';
  }
}

/** Third persons have an -s in the present: "she hurt me" is past. */
function sameForm(governor: Governor): VerbTime | null {
  if (governor.kind === 'auxiliary' || governor.kind === 'determiner') return null;
  if (forms.THIRD_PERSON.has(governor.form) || governor.kind === 'other') return 'past';
  return 'same';
}

const BASE_SUBJECTS: ReadonlySet<string> = new Set(['i', 'you', 'we', 'they', 'people', 'things']);
const THIRD_SUBJECTS = forms.THIRD_PERSON;

function presentForm(words: readonly Word[], index: number, governor: Governor): VerbTime | null {
  const form = formAt(words, index);
  if (forms.ADVERBS.has(form) || forms.SUBJECTS.has(form) || forms.CONNECTIVES.has(form))
    return null;
  if (forms.DETERMINERS.has(form) || forms.PREPOSITIONS.has(form)) return null;
  if (form.endsWith('ing')) return null;
  if (BASE_SUBJECTS.has(governor.form)) return 'present';
  if (THIRD_SUBJECTS.has(governor.form) && form.endsWith('s')) return 'present';
  const noun = governor.kind === 'other' || forms.SUBJECTS.has(governor.form);
  return noun && forms.THIRD_PERSON_VERBS.has(form) ? 'present' : null;
}
