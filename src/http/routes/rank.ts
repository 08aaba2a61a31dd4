/** `POST /v1/rank`: which of several replies fits a conversation best, by the model server. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { withinLimit } from '../../access/limit.ts';
import { recentTurns } from '../../generate/context.ts';
import { readJson, validate } from '../../intake/body.ts';
import { rankRequest } from '../../intake/schemas.ts';
import { riskOf } from '../../rank/risk.ts';
import { askRanking } from '../../rank/upstream.ts';
import { safetyResourcesForError } from '../../safety/index.ts';
import { authenticated } from '../authenticated.ts';
import type { AppEnv } from '../context.ts';
import { describe, errors, json, rankAnswer } from '../describe.ts';
import { failureResponse } from '../failure.ts';
import { regionOf } from '../region.ts';

export function registerRank(app: OpenAPIHono<AppEnv>): void {
  app.post('/v1/rank', authenticated, async (c) => {
    const body = await readJson(c.req.raw);
    if (!body.ok) return failureResponse(body.failure, c.get('requestId'));
    const verdict = riskOf(body.value);
    const { route, reasons } = verdict;
    const risk = { level: verdict.level, flags: verdict.flags };
    // No model chooses what a person in danger is told, and no limit keeps the numbers from them.
    if (route === 'crisis') {
      const resources = safetyResourcesForError({
        region: regionOf(c.req.raw, c.env),
        locale: null,
      });
      return c.json({ results: [], risk, route, reasons, resources });
    }
    const request = validate(rankRequest, body.value);
    if (!request.ok) return failureResponse(request.failure, c.get('requestId'));
    const allowed = await withinLimit(c.get('caller'), c.env);
    if (!allowed.ok) return failureResponse(allowed.failure, c.get('requestId'));
    const turns = request.value.messages.map(({ role, content }) => ({ role, text: content }));
    const ranking = await askRanking(
      { messages: recentTurns(turns), candidates: request.value.candidates },
      {
        baseUrl: c.env.MODEL_SERVER_URL,
        token: c.env.MODEL_SERVER_TOKEN,
        model: c.env.MODEL_NAME,
        requestId: c.get('requestId'),
        signal: c.req.raw.signal,
      },
    );
    if (!ranking.ok) return failureResponse(ranking.failure, c.get('requestId'));
    return c.json({ ...ranking.value, risk, route, reasons });
  });

  describe(app, {
    method: 'post',
    path: '/v1/rank',
    summary: 'Candidates in the order of how well they answer a conversation',
    body: rankRequest,
    responses: {
      200: json(
        'The candidates, best first; none on the crisis route, which names services instead',
        rankAnswer,
      ),
      ...errors(400, 401, 413, 415, 429, 501, 503),
    },
  });
}
