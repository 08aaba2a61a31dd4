/** Prompts, with the engine's refusals in the client's words. */
import type { Conversation, Engine, Prompt } from '../engine/types.ts';
import { failed, type Result } from '../result.ts';
import type { Failure } from './failures.ts';

/**
 * Tokenise a conversation.
 * @param reserve tokens to keep free for the reply
 */
export function preparePrompt(
  engine: Engine,
  conversation: Conversation,
  reserve: number,
): Result<Prompt, Failure> {
  const prompt = engine.prepare(conversation, reserve);
  if (prompt.ok) return prompt;
  const { tokens, limit } = prompt.failure;
  const count = tokens === null ? `more than ${limit}` : String(tokens);
  return failed({
    kind: 'context_length_exceeded',
    param: 'messages',
    message: `The persona and system messages have ${count} tokens; at most ${limit} leave room for the conversation.`,
  });
}
