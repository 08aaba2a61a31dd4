/** Who is calling: one API key in this version, known only by its SHA-256. */
import type { Env } from '../env.ts';
import type { Failure } from '../http/failure.ts';
import { fail, ok, type Result } from '../result.ts';

export interface Caller {
  /** First 16 hex digits of the key's SHA-256: names the caller in limits, reveals nothing. */
  readonly id: string;
}

/**
 * Check `Authorization: Bearer <key>`. Both sides are hashed, then compared in constant time.
 * Without a configured key every request is refused: the service fails closed.
 */
export async function authenticate(request: Request, env: Env): Promise<Result<Caller, Failure>> {
  const expected = hexBytes(env.API_KEY_SHA256 ?? '');
  if (expected === null) return fail({ kind: 'not_configured' });
  const header = request.headers.get('authorization');
  if (header === null) return fail({ kind: 'unauthorized', reason: 'missing' });
  const key = /^Bearer +(\S{1,256})$/i.exec(header)?.[1];
  if (key === undefined) return fail({ kind: 'unauthorized', reason: 'invalid' });
  const found = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)),
  );
  if (!crypto.subtle.timingSafeEqual(found, expected)) {
    return fail({ kind: 'unauthorized', reason: 'invalid' });
  }
  return ok({ id: [...found.slice(0, 8)].map((b) => b.toString(16).padStart(2, '0')).join('') });
}

function hexBytes(hex: string): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return null;
  return Uint8Array.from({ length: 32 }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  );
}
