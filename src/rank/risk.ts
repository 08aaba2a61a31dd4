/**
 * Risk over a whole conversation that comes in one request: nothing is remembered between requests,
 * so every message of the person counts, not the newest alone.
 */
import { z } from '@hono/zod-openapi';
import type { DialogueTurn } from '../affect/types.ts';
import { type GateResult, gateAll } from '../safety/index.ts';

const body = z.looseObject({ messages: z.unknown().optional(), text: z.unknown().optional() });
const message = z.looseObject({ role: z.unknown().optional(), content: z.unknown() });
const textPart = z.looseObject({ text: z.string() });

/** Newest messages that are read. Validation refuses far fewer; this only bounds what a refusal costs. */
const MOST_MESSAGES = 256;

const CALM: GateResult = { route: 'converse', level: 0, flags: [], reasons: [] };

/**
 * The most serious verdict over the messages of a body that need not be valid: a disclosure is
 * answered whatever else is wrong with its request. What is not said to come from the assistant is
 * read as the person's.
 */
export function riskOf(unchecked: unknown): GateResult {
  const readable = body.safeParse(unchecked);
  if (!readable.success) return CALM;
  const { messages, text: alone } = readable.data;
  const list = Array.isArray(messages) ? messages : [{ role: 'user', content: messages }];
  const turns = [...list, { role: 'user', content: alone }]
    .slice(-MOST_MESSAGES)
    .flatMap((item): DialogueTurn[] => {
      const read = message.safeParse(item);
      const text = read.success ? textOf(read.data.content) : '';
      if (text === '') return [];
      return [{ role: read.data?.role === 'assistant' ? 'assistant' : 'user', text }];
    });
  const newest = turns.findLastIndex(({ role }) => role === 'user');
  const text = turns[newest]?.text;
  if (text === undefined) return CALM;
  return gateAll({ history: turns.slice(0, newest), text }).reduce((worst, verdict) =>
    verdict.level >= worst.level ? verdict : worst,
  );
}

/** A text, or the texts of a list of parts (OpenAI's shape); empty for anything else. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => {
      const read = textPart.safeParse(part);
      return read.success ? [read.data.text] : [];
    })
    .join('\n');
}
