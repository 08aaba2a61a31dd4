/** zod at the boundary, with failures that name the parameter and never its value. */
import type { z } from 'zod';
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';

/** Validate parsed JSON. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Result<z.output<S>, Failure> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return success(parsed.data);
  const issue = parsed.error.issues[0];
  const param = issue === undefined || issue.path.length === 0 ? 'body' : issue.path.join('.');
  return failed({
    kind: 'invalid_value',
    param,
    message: `${param}: ${issue?.message ?? 'invalid'}`,
  });
}
