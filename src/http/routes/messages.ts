/** Sending a message and stopping its answer. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { readJson } from '../../intake/body.ts';
import { sendMessage } from '../../intake/schemas.ts';
import { isSessionId, turnNumber } from '../../session/ids.ts';
import { foldTurn } from '../../stream/fold.ts';
import { SSE_HEADERS } from '../../stream/frames.ts';
import { openTurn } from '../../turn/edge.ts';
import { authenticated } from '../authenticated.ts';
import type { AppEnv } from '../context.ts';
import { describe, errors, turnJson } from '../describe.ts';
import { failureResponse } from '../failure.ts';
import { regionOf } from '../region.ts';

export function registerMessages(app: OpenAPIHono<AppEnv>): void {
  app.post('/v1/sessions/:id/messages', authenticated, async (c) => {
    const body = await readJson(c.req.raw);
    if (!body.ok) return failureResponse(body.failure, c.get('requestId'));
    const opened = await openTurn({
      env: c.env,
      caller: c.get('caller'),
      sessionId: c.req.param('id'),
      body: body.value,
      requestId: c.get('requestId'),
      region: regionOf(c.req.raw, c.env),
    });
    if (!opened.ok) return failureResponse(opened.failure, c.get('requestId'));
    const { stream, frames } = opened.value;
    if (stream) return c.body(frames, 200, { ...SSE_HEADERS });
    const turn = await foldTurn(frames);
    return turn === null ? failureResponse({ kind: 'internal' }, c.get('requestId')) : c.json(turn);
  });

  app.post('/v1/sessions/:id/turns/:turn/stop', authenticated, async (c) => {
    const id = c.req.param('id');
    const n = turnNumber(c.req.param('turn'));
    if (!isSessionId(id)) {
      return failureResponse({ kind: 'session_not_found' }, c.get('requestId'));
    }
    const outcome = n === null ? 'turn_not_found' : await c.env.SESSIONS.getByName(id).stop(n);
    return outcome === 'turn_not_found'
      ? failureResponse({ kind: 'turn_not_found' }, c.get('requestId'))
      : c.json({ stopped: outcome === 'stopped' });
  });

  describe(app, {
    method: 'post',
    path: '/v1/sessions/{id}/messages',
    summary: 'Send a message; the answer is a stream of events, or one JSON turn',
    body: sendMessage,
    responses: {
      200: {
        description:
          'stream=true: server-sent events turn, affect, safety, plan, delta*, then done or error. stream=false: the turn.',
        content: {
          'text/event-stream': { schema: { type: 'string' } },
          'application/json': { schema: turnJson },
        },
      },
      ...errors(400, 401, 404, 409, 413, 415, 429, 500, 503),
    },
  });
  describe(app, {
    method: 'post',
    path: '/v1/sessions/{id}/turns/{turn}/stop',
    summary: 'Stop a running answer; what was said so far is kept',
    responses: { 200: { description: '{stopped: boolean}' }, ...errors(401, 404) },
  });
}
