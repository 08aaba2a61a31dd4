/** Middleware: only a caller with a valid key gets past it. */
import { createMiddleware } from 'hono/factory';
import { authenticate } from '../access/authenticate.ts';
import type { AppEnv } from './context.ts';
import { failureResponse } from './failure.ts';

export const authenticated = createMiddleware<AppEnv>(async function authenticated(c, next) {
  const caller = await authenticate(c.req.raw, c.env);
  if (!caller.ok) return failureResponse(caller.failure, c.get('requestId'));
  c.set('caller', caller.value);
  return next();
});
