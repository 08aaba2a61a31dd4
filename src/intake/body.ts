/** Reading and validating a JSON body: every way it can be wrong is a value. */
import type { z } from '@hono/zod-openapi';
import type { Failure } from '../http/failure.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import { fail, ok, type Result } from '../result.ts';

/**
 * The parsed body of a request.
 * @returns `body_too_large` past 1 MiB (read no further than that), `unsupported_media_type`
 * unless it says JSON, `invalid_json` on bad UTF-8 or JSON.
 */
export async function readJson(request: Request): Promise<Result<unknown, Failure>> {
  const type = request.headers.get('content-type') ?? 'application/json';
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    return fail({ kind: 'unsupported_media_type' });
  }
  const tooLarge: Failure = { kind: 'body_too_large', limit_bytes: MAX_BODY_BYTES };
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return fail(tooLarge);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let size = 0;
  let body = '';
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return fail(tooLarge);
      body += decoder.decode(chunk, { stream: true });
    }
    return ok(JSON.parse(body + decoder.decode()));
  } catch {
    return fail({ kind: 'invalid_json' });
  }
}

/** Validate a parsed body; the first issue is reported with the path of the parameter. */
export function validate<T>(schema: z.ZodType<T>, body: unknown): Result<T, Failure> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue === undefined)
    return fail({ kind: 'invalid_request', message: 'The body is not valid.' });
  if (issue.code === 'unrecognized_keys') {
    return fail({
      kind: 'unsupported_parameter',
      param: [...issue.path, issue.keys[0] ?? ''].join('.').slice(0, 100),
    });
  }
  const param = issue.path.join('.');
  return fail({
    kind: 'invalid_request',
    message: `${param === '' ? 'body' : param}: ${issue.message}`,
    ...(param === '' ? {} : { param }),
  });
}
