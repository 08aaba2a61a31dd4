/** The first shield against floods: Cloudflare's rate-limit binding, counted per key. */
import type { Env } from '../env.ts';
import type { Failure } from '../http/failure.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Caller } from './authenticate.ts';

/** Seconds a refused caller is asked to wait: the binding tells no more than yes or no. */
const RETRY_AFTER_SECONDS = 10;

export async function withinLimit(caller: Caller, env: Env): Promise<Result<null, Failure>> {
  const { success } = await env.RATE_LIMITER.limit({ key: caller.id });
  return success ? ok(null) : fail({ kind: 'rate_limited', retry_after: RETRY_AFTER_SECONDS });
}
