/** Country whose helplines are shown: asked for, else where the request came from, else configured. */
import type { Env } from '../env.ts';

export function regionOf(request: Request, env: Env, explicit?: string): string {
  if (explicit !== undefined) return explicit;
  // A local workerd makes its `cf` object up.
  const country = env.ENVIRONMENT === 'local' ? undefined : request.cf?.['country'];
  // Cloudflare's T1 (Tor) and XX (unknown) are no countries.
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) && country !== 'XX'
    ? country
    : env.DEFAULT_REGION;
}
