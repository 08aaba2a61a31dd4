/** The bytes of a request, at most so many. */
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';

/**
 * Read a body to its end. (Hono's own body limit wraps the request in a new one, which Node's
 * `Request` refuses for the adapter's, so chunked bodies would fail.)
 * @param limit bytes; a body that says or shows that it is longer is not read further
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<Result<ArrayBuffer, Failure>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit)
    return failed({ kind: 'body_too_large' });
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.byteLength;
      if (length > limit) return failed({ kind: 'body_too_large' });
      pieces.push(piece);
    }
  } catch {
    return failed({ kind: 'malformed_body', message: 'The body ended early.' });
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return success(bytes.buffer);
}
