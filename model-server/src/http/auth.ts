/** Bearer tokens, compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * A check for one token. Hashes are compared, so neither length nor content shows in the time.
 * @param token null lets everyone in (the server then listens on the loopback address only)
 * @returns whether an Authorization header carries the token
 */
export function bearerCheck(token: string | null): (header: string | undefined) => boolean {
  if (token === null) return () => true;
  const expected = sha256(token);
  return function hasToken(header) {
    const given = BEARER.exec(header ?? '')?.[1] ?? '';
    return timingSafeEqual(sha256(given), expected);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
