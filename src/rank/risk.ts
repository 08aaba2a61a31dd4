/**
 * Risk over a whole conversation that comes in one request: nothing is remembered between requests,
 * so every message of the person counts, not the newest alone.
 */
import { z } from '@hono/zod-openapi';
import type { DialogueTurn } from '../affect/types.ts';
import { type GateResult, gateAll } from '../safety/index.ts';

const body = z.looseObject({ messages: z.array(z.unknown()) });
const message = z.looseObject({ role: z.unknown(), content: z.string() });

const CALM: GateResult = { route: 'converse', level: 0, flags: [], reasons: [] };

/**
 * The most serious verdict over the messages of a body that need not be valid: a disclosure is
 * answered whatever else is wrong with its request. What is not said to come from the assistant is
 * read as the person's.
 */
export function riskOf(unchecked: unknown): GateResult {
  const readable = body.safeParse(unchecked);
  if (!readable.success) return CALM;
  const turns = readable.data.messages.flatMap((item): DialogueTurn[] => {
    const read = message.safeParse(item);
    if (!read.success) return [];
    const { role, content } = read.data;
    return [{ role: role === 'assistant' ? 'assistant' : 'user', text: content }];
  });
  const newest = turns.findLastIndex(({ role }) => role === 'user');
  const text = turns[newest]?.text;
  if (text === undefined) return CALM;
  return gateAll({ history: turns.slice(0, newest), text }).reduce((worst, verdict) =>
    verdict.level >= worst.level ? verdict : worst,
  );
}
