/** The HTTP face: middleware in the order in which a request meets it, then the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './context.ts';
import { failureResponse } from './failure.ts';
import { registerEmotions } from './routes/emotions.ts';
import { registerMessages } from './routes/messages.ts';
import { registerRank } from './routes/rank.ts';
import { registerSessions } from './routes/sessions.ts';
import { registerSystem } from './routes/system.ts';

export function createApp(): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();
  app.use(requestId());
  app.use(secureHeaders());
  app.onError((error, c) => {
    // The name only: an exception's message may carry what a person wrote.
    console.error('unexpected', c.get('requestId'), error.name);
    return failureResponse({ kind: 'internal' }, c.get('requestId'));
  });
  app.notFound((c) => failureResponse({ kind: 'route_not_found' }, c.get('requestId')));
  registerSystem(app);
  registerSessions(app);
  registerMessages(app);
  registerEmotions(app);
  registerRank(app);
  return app;
}
