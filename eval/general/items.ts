/** The items of the general set (`items.jsonl`): one question and what its answer must and may not hold. */
import { z } from 'zod';

/** What an item puts to the test, in the order of the published table. */
export const KINDS = [
  'name',
  'what_it_is',
  'human',
  'body',
  'family',
  'facts',
  'arithmetic',
  'spelling',
  'days',
  'greeting',
  'instruction',
  'form',
] as const;

export type Kind = (typeof KINDS)[number];

/** Kinds whose pass rate together is the persona's. */
export const PERSONA_KINDS: readonly Kind[] = ['name', 'what_it_is', 'human', 'body', 'family'];

const pattern = z.string().min(1).refine(isPattern, 'no regular expression');
const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() });

const schema = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(KINDS),
  /** One text of the person, or a conversation that ends on one. */
  ask: z
    .union([
      z
        .string()
        .regex(/\S/)
        .transform((content) => [{ role: 'user' as const, content }]),
      z.array(message).min(1),
    ])
    .refine((messages) => messages.at(-1)?.role === 'user', 'does not end on the person'),
  /** At least one of these is found; without any, every well-formed answer will do. */
  some: z.array(pattern).optional(),
  /** None of these is found. */
  none: z.array(pattern).optional(),
});

export type Item = z.infer<typeof schema>;

/**
 * @param text jsonl; blank lines are left out
 * @throws with the line's number on anything that is not an item, and on an id that came before
 */
export function parseItems(text: string): Item[] {
  const seen = new Set<string>();
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = schema.safeParse(parsedJson(line));
    if (!parsed.success) throw new Error(`line ${index + 1}: not an item`);
    if (seen.has(parsed.data.id)) throw new Error(`line ${index + 1}: an id that came before`);
    seen.add(parsed.data.id);
    return [parsed.data];
  });
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch {
    return false;
  }
}
