/** From EmpatheticDialogues-shaped conversations to exchanges worth retrieving. */
import { z } from 'zod';
import { normaliseText } from '../engine/prompt.ts';
import { RETRIEVAL_TURNS } from './constants.ts';
import type { Exchange } from './retrieval.ts';
import { isUsableReply } from './usable-reply.ts';

/** One conversation of the data. */
export const dialogueSchema = z.object({
  turns: z.array(z.object({ role: z.enum(['speaker', 'listener']), text: z.string() })),
});

export type Dialogue = z.output<typeof dialogueSchema>;

/** Every usable listener turn with what the speaker said before it. */
export function exchangesOf(dialogue: Dialogue): Exchange[] {
  const speaker: string[] = [];
  const found: Exchange[] = [];
  for (const { role, text } of dialogue.turns) {
    if (role === 'speaker') speaker.push(normaliseText(text));
    else if (speaker.length > 0) {
      const reply = normaliseText(text);
      if (isUsableReply(reply)) found.push({ context: queryOf(speaker), reply });
    }
  }
  return found;
}

/** What is looked up: the newest messages of the person. A query is made like a document. */
export function queryOf(said: readonly string[]): string {
  return said.slice(-RETRIEVAL_TURNS).join(' ');
}
