/** `POST /v1/score`: log probabilities of given replies (perplexity, ranking). */
import { z } from 'zod';
import { MAX_SCORED_REPLIES } from '../constants.ts';
import { normaliseText } from '../engine/prompt.ts';
import { STEERING } from '../engine/slots.ts';
import type { Engine, ReplyScore } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import { enterQueue, failureOf, type ServerContext } from './context.ts';
import { errorResponse, type Failure } from './failures.ts';
import { conversationOptions, messageSchema, toConversation } from './messages.ts';
import { preparePrompt } from './prepare.ts';
import { validate } from './validate.ts';

const intent = z.enum([...STEERING, 'predicted']).nullish();

const schema = z.object({
  // None is a context, too: the prior of a reply.
  messages: z.array(messageSchema),
  reply: z.string().nullish(),
  intent,
  replies: z
    .array(z.object({ reply: z.string(), intent }))
    .min(1)
    .max(MAX_SCORED_REPLIES)
    .nullish(),
  attune: conversationOptions.nullish(),
});

/** One reply on its way to the engine. */
interface Item {
  readonly text: string;
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
  const items = itemsOf(input.value);
  if (!items.ok) return errorResponse(items.failure);
  const conversation = toConversation(input.value, engine.info);
  if (!conversation.ok) return errorResponse(conversation.failure);
  const longest = Math.max(...items.value.map(({ text }) => engine.countReply(text)));
  const limit = Math.floor(engine.info.contextSize / 2);
  if (longest > limit) {
    const message = `A reply has ${longest} tokens with its end; at most ${limit} fit.`;
    return errorResponse({ kind: 'context_length_exceeded', param: 'reply', message });
  }
  const prompt = preparePrompt(engine, conversation.value, longest);
  if (!prompt.ok) return errorResponse(prompt.failure);
  const admission = enterQueue(context, client);
  if (!admission.ok) return errorResponse(admission.failure);
  const { run, admitted, leave } = admission.value;
  try {
    const refused = await admitted;
    if (refused !== null) return errorResponse(refused);
    const scores = await engine.score(prompt.value, items.value, run.signal);
    const results = scores.map((one, index) => result(one, items.value[index]?.text ?? ''));
    const shared = { model: engine.info.model, attune_trimmed_turns: prompt.value.trimmedTurns };
    return Response.json(
      input.value.replies ? { ...shared, results } : { ...shared, ...results[0] },
    );
  } catch (error) {
    return errorResponse(failureOf(context, run, error));
  } finally {
    leave();
  }
}

/** Exactly one of `reply` and `replies`, none empty. */
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
  const items = given.map((item) => ({
    text: normaliseText(item.reply),
    intent: item.intent ?? 'any',
  }));
  const empty = items.findIndex(({ text }) => text === '');
  if (empty >= 0) {
    const param = single.length > 0 ? 'reply' : `replies.${empty}.reply`;
    return failed({ kind: 'invalid_value', param, message: `${param} is empty.` });
  }
  return success(items);
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
