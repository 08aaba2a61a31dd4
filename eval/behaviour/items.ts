/** The items of the behaviour set (`data/behaviour.jsonl`): one expectation a line. */
import { z } from 'zod';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { FAMILIES } from '../../src/affect/groups.ts';
import { MAX_EMOTION_MESSAGES, MAX_TEXT_CHARS } from '../../src/limits.ts';
import { DIMENSIONS } from '../ask.ts';
import { type Half, halfOf } from '../dialogues.ts';

/** What an item puts to the test, in the order of the published table. */
export const CAPABILITIES = [
  'vocabulary',
  'negation',
  'double_negation',
  'contrast',
  'past_present',
  'intensity',
  'mixed',
  'others_feelings',
  'context',
  'sarcasm',
  'slang',
  'register',
  'emoji',
  'typos',
  'casing',
  'formatting',
  'numbers_time',
  'control_strings',
  'very_short',
  'very_long',
  'no_feeling',
  'other_language',
  'robustness',
  'directional',
  'fairness',
  'cause',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

const text = z.string().max(MAX_TEXT_CHARS).regex(/\S/);
const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: text });

/** What is read: one text of the person, or a conversation. */
const input = z
  .union([
    text.transform((content) => [{ role: 'user' as const, content }]),
    z.array(message).max(MAX_EMOTION_MESSAGES),
  ])
  .refine((messages) => messages.some(({ role }) => role === 'user'));

export type Messages = z.infer<typeof input>;

const labels = z.array(z.enum(EMOTIONS)).min(1);
const probability = z.number().min(0).max(1);

/** What two readings are compared by: a number, the sum of some labels, a family, a polarity. */
const quantity = z.union([
  z.strictObject({ field: z.enum(DIMENSIONS) }),
  z.strictObject({ labels }),
  z.strictObject({ family: z.enum(FAMILIES) }),
  z.strictObject({ polarity: z.enum(['positive', 'negative']) }),
]);

export type Quantity = z.infer<typeof quantity>;

const common = { id: z.string().min(1), capability: z.enum(CAPABILITIES) };
const pair = { ...common, a: input, b: input };
const comparison = { ...pair, of: quantity, margin: z.number().nonnegative() };

/**
 * The kinds of expectation. An abstention names nothing: it fails what asks for a name (`is`, `top3`,
 * `family`, `polarity`) and meets what forbids one (`not`).
 */
const item = z.discriminatedUnion('kind', [
  /** The most probable label is one of these. */
  z.strictObject({ kind: z.literal('is'), ...common, input, labels }),
  /** One of these is among the three most probable labels. */
  z.strictObject({ kind: z.literal('top3'), ...common, input, labels }),
  /** The most probable label is none of these. */
  z.strictObject({ kind: z.literal('not'), ...common, input, labels }),
  /** The most probable family is one of these. */
  z.strictObject({
    kind: z.literal('family'),
    ...common,
    input,
    families: z.array(z.enum(FAMILIES)).min(1),
  }),
  /** This side of the polarity outweighs the other. */
  z.strictObject({
    kind: z.literal('polarity'),
    ...common,
    input,
    polarity: z.enum(['positive', 'negative']),
  }),
  /** Abstains for one of these reasons; where said, an answer of no more than this intensity will do. */
  z.strictObject({
    kind: z.literal('abstain'),
    ...common,
    input,
    reasons: z.array(z.enum(['no_words', 'language', 'low_confidence'])).min(1),
    or_intensity_at_most: probability.optional(),
  }),
  /** Does not abstain. */
  z.strictObject({ kind: z.literal('answers'), ...common, input }),
  /** Both abstain or both have the same most probable family; where said, valence is this close. */
  z.strictObject({
    kind: z.literal('same'),
    ...pair,
    valence_within: z.number().positive().optional(),
  }),
  /** The quantity is higher in `a` than in `b` by more than the margin. */
  z.strictObject({ kind: z.literal('more'), ...comparison }),
  /** The quantity is lower in `a` than in `b` by more than the margin. */
  z.strictObject({ kind: z.literal('less'), ...comparison }),
  /** One of these words is among the three most salient causes. */
  z.strictObject({
    kind: z.literal('cause'),
    ...common,
    input,
    words: z.array(z.string().regex(/^[^\sA-Z]+$/)).min(1),
  }),
]);

export type Item = z.infer<typeof item>;

/**
 * Items from the text of a jsonl file.
 * @throws with the line's number when a line is not an item, or when an id comes twice
 */
export function parseItems(jsonl: string): Item[] {
  const seen = new Set<string>();
  return jsonl.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = item.safeParse(jsonOf(line));
    if (!parsed.success) throw new Error(`line ${index + 1}: not an item of the behaviour set`);
    if (seen.has(parsed.data.id)) throw new Error(`line ${index + 1}: its id came before`);
    seen.add(parsed.data.id);
    return [parsed.data];
  });
}

/** Items of one half, by the first byte of sha256 of their id; of both without one. */
export function itemsOfHalf(items: readonly Item[], half: Half | undefined): Item[] {
  return items.filter(({ id }) => half === undefined || halfOf(id) === half);
}

/** What has to be read to judge an item: one conversation, or the two of a pair. */
export function inputsOf(item: Item): Messages[] {
  return 'input' in item ? [item.input] : [item.a, item.b];
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
