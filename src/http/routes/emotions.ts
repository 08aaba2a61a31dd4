/** `POST /v1/emotions`: what the edge reads in a text, a conversation or a batch of them. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { withinLimit } from '../../access/limit.ts';
import { classifyBatch } from '../../affect/index.ts';
import type { DialogueTurn, Reading } from '../../affect/types.ts';
import { readJson, validate } from '../../intake/body.ts';
import { type EmotionsRequest, emotionsRequest } from '../../intake/schemas.ts';
import { gate } from '../../safety/index.ts';
import { authenticated } from '../authenticated.ts';
import type { AppEnv } from '../context.ts';
import { describe, emotionsAnswer, errors, json } from '../describe.ts';
import { failureResponse } from '../failure.ts';

export function registerEmotions(app: OpenAPIHono<AppEnv>): void {
  app.post('/v1/emotions', authenticated, async (c) => {
    const allowed = await withinLimit(c.get('caller'), c.env);
    if (!allowed.ok) return failureResponse(allowed.failure, c.get('requestId'));
    const body = await readJson(c.req.raw);
    const request = body.ok ? validate(emotionsRequest, body.value) : body;
    if (!request.ok) return failureResponse(request.failure, c.get('requestId'));
    const conversations = conversationsOf(request.value);
    const results = [];
    for (const [i, reading] of (await classifyBatch(conversations)).entries()) {
      if (!reading.ok) {
        return failureResponse({ kind: 'affect_unavailable' }, c.get('requestId'));
      }
      results.push(resultOf(reading.affect, conversations[i] ?? []));
    }
    return c.json(request.value.batch === undefined ? results[0] : { results });
  });

  describe(app, {
    method: 'post',
    path: '/v1/emotions',
    summary: 'Emotions and risk route of a text, a conversation or a batch',
    body: emotionsRequest,
    responses: {
      200: json('The reading; of a batch `results` in its order', emotionsAnswer),
      ...errors(400, 401, 413, 415, 429, 503),
    },
  });
}

function conversationsOf(request: EmotionsRequest): DialogueTurn[][] {
  if (request.text !== undefined) return [[{ role: 'user', text: request.text }]];
  const conversations = request.batch ?? [{ messages: request.messages ?? [] }];
  return conversations.map(({ messages }) =>
    messages.map(({ role, content }) => ({ role, text: content })),
  );
}

function resultOf(reading: Reading, turns: readonly DialogueTurn[]) {
  const latest = turns.findLastIndex((turn) => turn.role === 'user');
  const verdict = gate({
    history: turns.slice(0, Math.max(latest, 0)),
    text: turns[latest]?.text ?? '',
  });
  return {
    ...reading,
    risk: { level: verdict.level, flags: verdict.flags },
    route: verdict.route,
    reasons: verdict.reasons,
  };
}
