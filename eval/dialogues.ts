/** Reading EmpatheticDialogues-shaped jsonl: one conversation a line. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  conv_id: z.string(),
  emotion: z.string().optional(),
  /** What the conversation is about, as its speaker wrote it down before. */
  situation: z.string().optional(),
  turns: z.array(
    z.object({
      role: z.enum(['speaker', 'listener']),
      text: z.string(),
      /** Gold response intent of a listener turn, where known. */
      intent: z.string().optional(),
    }),
  ),
  /** What in a turn the emotion comes from: `turns[turn].text.slice(start, end)`. */
  causes: z
    .array(z.object({ turn: z.int().nonnegative(), start: z.int().nonnegative(), end: z.int() }))
    .optional(),
});

export type Dialogue = z.infer<typeof schema>;

export type Half = 'tune' | 'report';

/**
 * The half that somebody asks for by its name.
 * @throws on any other name
 */
export function oneHalf(name: string): Half {
  if (name !== 'tune' && name !== 'report') throw new Error('--half is tune or report');
  return name;
}

/**
 * Half of a conversation in the honest split of the validation data: *tune* for choices, *report*
 * for published figures, by the first byte of sha256(conv_id) (training/affect/splits.py).
 */
export function halfOf(convId: string): Half {
  return (createHash('sha256').update(convId).digest()[0] ?? 0) % 2 === 0 ? 'tune' : 'report';
}

/**
 * The first `limit` conversations of a file, of one half or of both.
 * @throws with the line's number when a line is not a conversation
 */
export async function readDialogues(
  file: string,
  { limit, half }: { readonly limit?: number; readonly half?: Half } = {},
): Promise<Dialogue[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const dialogues = lines.map((line, index) => {
    try {
      return schema.parse(JSON.parse(line));
    } catch {
      throw new Error(`${file}:${index + 1}: not an EmpatheticDialogues-shaped conversation`);
    }
  });
  return dialogues
    .filter(({ conv_id }) => half === undefined || halfOf(conv_id) === half)
    .slice(0, limit);
}

/**
 * Gold intents beside the official data: `../empathetic_intents/turn_labels_<split>.tsv` of a file
 * `<split>.jsonl`, keyed `<conv_id>#<turn from 0>`. Labels that are emotions are left out.
 */
export async function readGoldIntents(
  file: string,
  known: readonly string[],
): Promise<Map<string, string>> {
  const split = basename(file).replace(/\.jsonl$/, '');
  const path = join(dirname(file), '..', 'empathetic_intents', `turn_labels_${split}.tsv`);
  const intents = new Map<string, string>();
  if (!existsSync(path)) return intents;
  for (const line of (await readFile(path, 'utf8')).split('\n').slice(1)) {
    const [id, index, role, label] = line.split('\t');
    if (role !== 'listener' || label === undefined || !known.includes(label.trim())) continue;
    intents.set(`${id}#${Number(index) - 1}`, label.trim());
  }
  return intents;
}

/** Chat messages before turn `index`; a listener turn carries its gold intent, where known. */
export function historyOf(
  dialogue: Dialogue,
  index: number,
): { role: 'user' | 'assistant'; content: string }[] {
  return dialogue.turns
    .slice(0, index)
    .map(({ role, text }) => ({ role: role === 'speaker' ? 'user' : 'assistant', content: text }));
}
