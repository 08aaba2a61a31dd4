/** Creating, reading and erasing a session. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { withinLimit } from '../../access/limit.ts';
import { readJson, validate } from '../../intake/body.ts';
import { createSession } from '../../intake/schemas.ts';
import { DISCLOSURE } from '../../safety/index.ts';
import { isSessionId, newSessionId } from '../../session/ids.ts';
import type { SessionHeader } from '../../session/record.ts';
import { authenticated } from '../authenticated.ts';
import type { AppEnv } from '../context.ts';
import { describe, errors, json, sessionView } from '../describe.ts';
import { failureResponse } from '../failure.ts';
import { regionOf } from '../region.ts';

export function registerSessions(app: OpenAPIHono<AppEnv>): void {
  app.post('/v1/sessions', authenticated, async (c) => {
    const allowed = await withinLimit(c.get('caller'), c.env);
    if (!allowed.ok) return failureResponse(allowed.failure, c.get('requestId'));
    const body = await readJson(c.req.raw);
    const request = body.ok ? validate(createSession, body.value) : body;
    if (!request.ok) return failureResponse(request.failure, c.get('requestId'));
    const { locale, region, minor, consent, metadata, retention_days } = request.value;
    const header: SessionHeader = {
      session_id: newSessionId(),
      created_at: new Date().toISOString(),
      locale: locale ?? null,
      region: regionOf(c.req.raw, c.env, region),
      minor: minor ?? null,
      consent,
      metadata: metadata ?? {},
      retention_days,
    };
    await c.env.SESSIONS.getByName(header.session_id).create(header);
    return c.json({ ...header, disclosure: DISCLOSURE }, 201, {
      location: `/v1/sessions/${header.session_id}`,
    });
  });

  app.get('/v1/sessions/:id', authenticated, async (c) => {
    const id = c.req.param('id');
    const view = isSessionId(id) ? await c.env.SESSIONS.getByName(id).view(id) : null;
    if (view === null) return failureResponse({ kind: 'session_not_found' }, c.get('requestId'));
    return c.json(view);
  });

  app.delete('/v1/sessions/:id', authenticated, async (c) => {
    const id = c.req.param('id');
    const erased = isSessionId(id) && (await c.env.SESSIONS.getByName(id).erase(id));
    if (!erased) return failureResponse({ kind: 'session_not_found' }, c.get('requestId'));
    return c.body(null, 204);
  });

  describe(app, {
    method: 'post',
    path: '/v1/sessions',
    summary: 'Create a session',
    body: createSession,
    responses: { 201: json('The session', sessionView), ...errors(400, 401, 413, 415, 429) },
  });
  describe(app, {
    method: 'get',
    path: '/v1/sessions/{id}',
    summary: 'The session and its turns',
    responses: { 200: json('The session', sessionView), ...errors(401, 404) },
  });
  describe(app, {
    method: 'delete',
    path: '/v1/sessions/{id}',
    summary: 'Erase the session here and in KV',
    responses: { 204: { description: 'Erased' }, ...errors(401, 404) },
  });
}
