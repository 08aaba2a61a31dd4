/** The routes. */
import { Hono } from 'hono';
import { MAX_BODY_BYTES } from '../constants.ts';
import type { Engine } from '../engine/types.ts';
import { affect } from './affect.ts';
import { bearerCheck } from './auth.ts';
import { chat } from './chat.ts';
import { completions } from './completions.ts';
import { engineOf, type ServerContext } from './context.ts';
import { errorResponse } from './failures.ts';
import { readiness } from './health.ts';
import { rank } from './rank.ts';
import { readBody } from './read-body.ts';
import { parseJson } from './read-json.ts';
import { score } from './score.ts';

/** Answers a parsed body. */
type Answer = (
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
) => Promise<Response>;

/** Prometheus' text format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Build the application. `/healthz` and `/readyz` are open; all else needs the token. */
export function createApp(context: ServerContext): Hono {
  const app = new Hono();
  const hasToken = bearerCheck(context.token);

  app.use(async function countRequests(c, next) {
    await next();
    const route = ROUTES.has(c.req.path) ? c.req.path : 'other';
    context.metrics.count('attune_requests_total', 1, { route, status: String(c.res.status) });
  });
  app.onError(function unexpected(error) {
    context.report(error);
    return errorResponse({ kind: 'internal' });
  });
  app.notFound(() => errorResponse({ kind: 'not_found' }));

  app.get('/healthz', () => Response.json({ status: 'ok' }));
  app.get('/readyz', readiness(context));

  app.use(async function authenticate(c, next) {
    if (!hasToken(c.req.header('authorization'))) return errorResponse({ kind: 'unauthorized' });
    await next();
    return undefined;
  });
  app.get(
    '/metrics',
    () => new Response(context.metrics.text(), { headers: { 'content-type': METRICS_TYPE } }),
  );
  app.get('/v1/models', () => {
    const engine = engineOf(context);
    if (!engine.ok) return errorResponse(engine.failure);
    const { model, contextSize } = engine.value.info;
    const entry = {
      id: model,
      object: 'model',
      created: 0,
      owned_by: 'attune',
      context_length: contextSize,
    };
    return Response.json({ object: 'list', data: [entry] });
  });

  const post = (path: string, answer: Answer) =>
    app.post(path, async function answerJson(c) {
      const early = engineOf(context);
      if (!early.ok) return errorResponse(early.failure);
      const bytes = await readBody(c.req.raw, MAX_BODY_BYTES);
      if (!bytes.ok) return errorResponse(bytes.failure);
      const body = parseJson(bytes.value);
      if (!body.ok) return errorResponse(body.failure);
      // A stop may have begun while the body was on its way, and it frees the engine.
      const engine = engineOf(context);
      if (!engine.ok) return errorResponse(engine.failure);
      return answer(context, engine.value, body.value, c.req.raw.signal);
    });
  post('/v1/chat/completions', chat);
  post('/v1/completions', completions);
  post('/v1/affect', affect);
  post('/v1/score', score);
  post('/v1/rank', rank);
  return app;
}

/** Label values of the request counter: paths that exist, so that clients cannot add series. */
const ROUTES: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/v1/models',
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/affect',
  '/v1/score',
  '/v1/rank',
]);
