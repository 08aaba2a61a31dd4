/** `POST /v1/rank`: candidates in the order of how well they answer a conversation. */
import { z } from 'zod';
import type { Engine } from '../engine/types.ts';
import { MAX_CANDIDATES, MAX_WEIGHT, RANK_WEIGHTS, type RankWeights } from '../select/constants.ts';
import { type RankedCandidate, rank as rankCandidates } from '../select/rank.ts';
import { scoreCandidates } from '../select/score-candidates.ts';
import { type ServerContext, useEngine } from './context.ts';
import { errorResponse } from './failures.ts';
import {
  conversationOptions,
  messageSchema,
  nothingToAnswer,
  toConversation,
  wrongModel,
} from './messages.ts';
import { preparePrompt } from './prepare.ts';
import { countReplies, refuseWithoutScoring } from './scoring.ts';
import { validate } from './validate.ts';

const weight = z.number().min(-MAX_WEIGHT).max(MAX_WEIGHT).nullish();

const schema = z.object({
  model: z.string().nullish(),
  messages: z.array(messageSchema).min(1),
  candidates: z.array(z.string()).min(1).max(MAX_CANDIDATES),
  weights: z.object({ pmi: weight, pmi_per_token: weight, judge: weight }).nullish(),
  attune: conversationOptions.nullish(),
});

/** Answer a parsed body. */
export async function rank(
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
): Promise<Response> {
  const input = validate(schema, body);
  if (!input.ok) return errorResponse(input.failure);
  const { model, candidates } = input.value;
  const unknown = wrongModel(model, engine.info);
  if (unknown !== null) return errorResponse(unknown);
  const unable = refuseWithoutScoring(engine);
  if (unable !== null) return errorResponse(unable);
  const conversation = toConversation(input.value, engine.info);
  if (!conversation.ok) return errorResponse(conversation.failure);
  const unanswerable = nothingToAnswer(conversation.value);
  if (unanswerable !== null) return errorResponse(unanswerable);
  const given = candidates.map((text, index) => ({ text, param: `candidates.${index}` }));
  const counted = await countReplies(context, engine, given);
  if (!counted.ok) return errorResponse(counted.failure);
  const { texts, longest } = counted.value;
  const prompt = preparePrompt(engine, conversation.value, longest);
  if (!prompt.ok) return errorResponse(prompt.failure);
  const weights = weightsOf(input.value.weights ?? {});
  return useEngine(context, client, 'batch', async (signal) => {
    const scores = await scoreCandidates({
      engine,
      conversation: conversation.value,
      prompt: prompt.value,
      reserve: longest,
      texts,
      judge: true,
      signal,
    });
    return Response.json({
      model: engine.info.model,
      results: rankCandidates(scores, weights).map(resultOf),
      usage: {
        prompt_tokens: prompt.value.tokens.length,
        candidate_tokens: scores.reduce((sum, { tokens }) => sum + tokens, 0),
        attune_trimmed_turns: prompt.value.trimmedTurns,
      },
    });
  });
}

/** What the client leaves out has the server's weight. */
function weightsOf(given: NonNullable<z.output<typeof schema>['weights']>): RankWeights {
  return {
    pmi: given.pmi ?? RANK_WEIGHTS.pmi,
    pmiPerToken: given.pmi_per_token ?? RANK_WEIGHTS.pmiPerToken,
    judge: given.judge ?? RANK_WEIGHTS.judge,
  };
}

function resultOf({ index, score, pmi, logprob, prior, judge, tokens }: RankedCandidate) {
  return { index, score, pmi, logprob, prior, judge, tokens };
}
