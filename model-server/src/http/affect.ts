/** `POST /v1/affect`: what the heads say about a conversation, without a reply. */
import { z } from 'zod';
import type { Engine } from '../engine/types.ts';
import { headFields } from './completion.ts';
import { type ServerContext, useEngine } from './context.ts';
import { errorResponse } from './failures.ts';
import { conversationOptions, messageSchema, toConversation, wrongModel } from './messages.ts';
import { preparePrompt } from './prepare.ts';
import { validate } from './validate.ts';

const schema = z.object({
  model: z.string().nullish(),
  messages: z.array(messageSchema).min(1),
  attune: conversationOptions.nullish(),
});

/** Answer a parsed body. */
export async function affect(
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
): Promise<Response> {
  const input = validate(schema, body);
  if (!input.ok) return errorResponse(input.failure);
  const unknown = wrongModel(input.value.model, engine.info);
  if (unknown !== null) return errorResponse(unknown);
  const conversation = toConversation(input.value, engine.info);
  if (!conversation.ok) return errorResponse(conversation.failure);
  if (conversation.value.turns.length === 0) {
    const message = 'messages has no text of the user or the assistant to read.';
    return errorResponse({ kind: 'invalid_value', param: 'messages', message });
  }
  const prompt = preparePrompt(engine, conversation.value, 0);
  if (!prompt.ok) return errorResponse(prompt.failure);
  return useEngine(context, client, 'chat', async (signal) => {
    const heads = await engine.readHeads(prompt.value, signal);
    return Response.json({
      model: engine.info.model,
      ...headFields(heads),
      usage: {
        prompt_tokens: prompt.value.tokens.length,
        attune_trimmed_turns: prompt.value.trimmedTurns,
      },
    });
  });
}
