/** Messages of OpenAI's shape to a conversation. */
import { z } from 'zod';
import { normaliseText } from '../engine/prompt.ts';
import { EMOTIONS, STEERING } from '../engine/slots.ts';
import type { Conversation, EngineInfo, Turn } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart)], {
  error: 'must be a string or a list of {type: "text", text}',
});

/** One message; the assistant's may say which intent it was made with. */
export const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
  attune: z.object({ intent: z.enum(STEERING).nullish() }).nullish(),
});

/** The conversation's part of the `attune` field. */
export const conversationOptions = z.object({
  persona: z.string().nullish(),
  emotion: z.enum(EMOTIONS).nullish(),
});

/** Parsed messages and options. */
export interface ConversationInput {
  readonly messages: readonly z.output<typeof messageSchema>[];
  readonly attune?: z.output<typeof conversationOptions> | null | undefined;
}

/**
 * Build a conversation. The system turn is `attune.persona`, then the texts of system and developer
 * messages; without either it is the persona of training. Empty assistant messages are left out.
 */
export function toConversation(
  input: ConversationInput,
  info: EngineInfo,
): Result<Conversation, Failure> {
  const emotion = input.attune?.emotion ?? null;
  if (emotion !== null && !info.emotionInput) {
    return failed({
      kind: 'unsupported_parameter',
      param: 'attune.emotion',
      message:
        'attune.emotion is not supported: these weights were not trained with an emotion as input.',
    });
  }
  const system: string[] = [];
  const given = input.attune?.persona;
  if (given !== undefined && given !== null) system.push(normaliseText(given));
  const turns: Turn[] = [];
  for (const [index, message] of input.messages.entries()) {
    const text = normaliseText(textOf(message.content));
    if (message.role === 'system' || message.role === 'developer') {
      system.push(text);
    } else if (text !== '') {
      turns.push({ role: message.role, text, intent: message.attune?.intent ?? 'any' });
    } else if (message.role === 'user') {
      const param = `messages.${index}.content`;
      return failed({ kind: 'invalid_value', param, message: `${param} is empty.` });
    }
  }
  const persona =
    system.length === 0 ? info.persona : system.filter((text) => text !== '').join('\n');
  return success({ persona, turns, emotion });
}

/** Why a model that the client names is not served here; null when it names none or ours. */
export function wrongModel(model: string | null | undefined, info: EngineInfo): Failure | null {
  if (!model || model === info.model) return null;
  return { kind: 'model_not_found', available: info.model };
}

/** Why nothing can be answered: a reply follows a message of the user. */
export function nothingToAnswer(conversation: Conversation): Failure | null {
  if (conversation.turns.at(-1)?.role === 'user') return null;
  const message = 'The last message must be from the user.';
  return { kind: 'invalid_value', param: 'messages', message };
}

function textOf(value: z.output<typeof content>): string {
  return typeof value === 'string' ? value : value.map(({ text }) => text).join('\n');
}
