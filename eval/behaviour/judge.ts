/** Does a reading behave as an item expects? Pure. */
import type { Item, Messages, Quantity } from './items.ts';
import type { Reading } from './reading.ts';

/** Top causes in which one of the expected words must be. */
const CAUSES_LOOKED_AT = 3;

/**
 * Whether an item is met.
 * @param readings of `inputsOf(item)`, in that order
 * @returns false as well when what the item needs is not in a reading
 */
export function judge(item: Item, readings: readonly Reading[]): boolean {
  const [first, second] = readings;
  if (first === undefined) return false;
  switch (item.kind) {
    case 'is':
      return !first.abstained && anyOf(item.labels, top(first, 1));
    case 'top3':
      return !first.abstained && anyOf(item.labels, top(first, 3));
    case 'not':
      return first.abstained || (first.emotions.length > 0 && !anyOf(item.labels, top(first, 1)));
    case 'family':
      return !first.abstained && anyOf(item.families, topFamily(first));
    case 'polarity':
      return !first.abstained && leans(first, item.polarity);
    case 'abstain':
      return abstainsOrIsCalm(first, item.reasons, item.or_intensity_at_most);
    case 'answers':
      return !first.abstained;
    case 'cause':
      return anyOf(item.words, causeWords(first, item.input).slice(0, CAUSES_LOOKED_AT));
    case 'same':
      return second !== undefined && alike(first, second, item.valence_within);
    case 'more':
      return second !== undefined && difference(first, second, item.of) > item.margin;
    case 'less':
      return second !== undefined && difference(second, first, item.of) > item.margin;
  }
}

function anyOf(expected: readonly string[], found: readonly string[]): boolean {
  return found.some((value) => expected.includes(value));
}

function top(reading: Reading, count: number): string[] {
  return reading.emotions.slice(0, count).map(({ label }) => label);
}

function topFamily({ groups }: Reading): string[] {
  return (groups?.families ?? []).slice(0, 1).map(({ family }) => family);
}

function leans({ groups }: Reading, polarity: 'positive' | 'negative'): boolean {
  if (groups == null) return false;
  const other = polarity === 'positive' ? 'negative' : 'positive';
  return groups.polarity[polarity] > groups.polarity[other];
}

function abstainsOrIsCalm(
  { abstained, abstain_reason, intensity }: Reading,
  reasons: readonly string[],
  calm: number | undefined,
): boolean {
  if (abstained) return reasons.includes(abstain_reason ?? '');
  return calm !== undefined && intensity != null && intensity <= calm;
}

function alike(a: Reading, b: Reading, valenceWithin: number | undefined): boolean {
  if (a.abstained !== b.abstained) return false;
  if (!a.abstained && !anyOf(topFamily(a), topFamily(b))) return false;
  if (valenceWithin === undefined) return true;
  // Nothing to read in either is the same treatment; a field that is absent is not.
  if (a.valence === null && b.valence === null) return true;
  return Math.abs(difference(a, b, { field: 'valence' })) <= valenceWithin;
}

/** a − b; NaN, which no comparison holds for, when one of them has no such quantity. */
function difference(a: Reading, b: Reading, quantity: Quantity): number {
  return amountOf(a, quantity) - amountOf(b, quantity);
}

function amountOf(reading: Reading, quantity: Quantity): number {
  if ('field' in quantity) return reading[quantity.field] ?? Number.NaN;
  if ('polarity' in quantity) return reading.groups?.polarity[quantity.polarity] ?? Number.NaN;
  if ('family' in quantity) {
    const found = reading.groups?.families.find(({ family }) => family === quantity.family);
    return found?.probability ?? Number.NaN;
  }
  return quantity.labels.reduce((sum, wanted) => {
    const found = reading.emotions.find(({ label }) => label === wanted);
    return sum + (found?.probability ?? Number.NaN);
  }, 0);
}

/** The causes as words in small letters, without the punctuation around them. */
function causeWords({ causes }: Reading, messages: Messages): string[] {
  return (causes ?? []).map(({ message, start, end }) =>
    (messages[message]?.content ?? '')
      .slice(start, end)
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
  );
}
