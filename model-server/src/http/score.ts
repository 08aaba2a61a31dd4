/** `POST /v1/score`: log probabilities of given replies (perplexity, ranking). */
import { z } from 'zod';
import { MAX_SCORED_REPLIES } from '../constants.ts';
import { STEERING } from '../engine/slots.ts';
import type { Engine, ReplyScore } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import { type ServerContext, useEngine } from './context.ts';
import { errorResponse, type Failure } from './failures.ts';
import { conversationOptions, messageSchema, toConversation, wrongModel } from './messages.ts';
import { preparePrompt } from './prepare.ts';
import { countReplies, type GivenReply, refuseWithoutScoring } from './scoring.ts';
import { validate } from './validate.ts';

const intent = z.enum([...STEERING, 'predicted']).nullish();

const schema = z.object({
  model: z.string().nullish(),
  // None is a context, too: the prior of a reply.
  messages: z.array(messageSchema),
  reply: z.string().nullish(),
  intent,
  replies: z
    .array(z.object({ reply: z.string(), intent }))
    .min(1)
    .max(MAX_SCORED_REPLIES)
    .nullish(),
  /** Whether the judge slot is read behind each reply. */
  judge: z.boolean().nullish(),
  attune: conversationOptions.nullish(),
});

/** One reply on its way to the engine. */
interface Item extends GivenReply {
  readonly intent: (typeof STEERING)[number] | 'predicted';
}

/** Answer a parsed body. */
export async function score(
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
): Promise<Response> {
  const input = validate(schema, body);
  if (!input.ok) return errorResponse(input.failure);
  const unknown = wrongModel(input.value.model, engine.info);
  if (unknown !== null) return errorResponse(unknown);
  const unable = refuseWithoutScoring(engine);
  if (unable !== null) return errorResponse(unable);
  const items = itemsOf(input.value);
  if (!items.ok) return errorResponse(items.failure);
  const conversation = toConversation(input.value, engine.info);
  if (!conversation.ok) return errorResponse(conversation.failure);
  const counted = await countReplies(context, engine, items.value);
  if (!counted.ok) return errorResponse(counted.failure);
  const prompt = preparePrompt(engine, conversation.value, counted.value.longest);
  if (!prompt.ok) return errorResponse(prompt.failure);
  const { texts } = counted.value;
  const replies = texts.map((text, index) => ({
    text,
    intent: items.value[index]?.intent ?? 'any',
  }));
  const judge = input.value.judge ?? false;
  return useEngine(context, client, 'batch', async (signal) => {
    const scores = await engine.score(prompt.value, replies, judge, signal);
    const results = scores.map((one, index) => ({
      ...result(one, texts[index] ?? ''),
      ...(judge ? { judge: one.judge } : {}),
    }));
    return Response.json({
      model: engine.info.model,
      ...(input.value.replies ? { results } : results[0]),
      usage: {
        prompt_tokens: prompt.value.tokens.length,
        attune_trimmed_turns: prompt.value.trimmedTurns,
      },
    });
  });
}

/** Exactly one of `reply` and `replies`. */
function itemsOf(input: z.output<typeof schema>): Result<readonly Item[], Failure> {
  const { reply, replies } = input;
  const single = reply === undefined || reply === null ? [] : [{ reply, intent: input.intent }];
  const given = [...single, ...(replies ?? [])];
  if (given.length === 0 || (single.length > 0 && replies)) {
    return failed({
      kind: 'invalid_value',
      param: 'reply',
      message: 'Give either reply or replies.',
    });
  }
  return success(
    given.map((item, index) => ({
      text: item.reply,
      intent: item.intent ?? 'any',
      param: single.length > 0 ? 'reply' : `replies.${index}.reply`,
    })),
  );
}

/** Bytes and words are those of the scored (normalised) text, for figures per byte and per word. */
function result(one: ReplyScore, text: string) {
  return {
    intent: one.intent,
    tokens: one.tokens,
    logprobs: one.logprobs,
    bytes: Buffer.byteLength(text),
    words: text.split(/\s+/u).length,
  };
}
