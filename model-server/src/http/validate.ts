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
  // An unknown key is the client's own text: zod has it in its words or at the end of its path.
  const path = issue?.code === 'invalid_key' ? issue.path.slice(0, -1) : (issue?.path ?? []);
  const param = path.length === 0 ? 'body' : path.join('.');
  return failed({ kind: 'invalid_value', param, message: `${param}: ${wordsOf(issue)}` });
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'invalid';
  const isUnknownKey = issue.code === 'unrecognized_keys' || issue.code === 'invalid_key';
  return isUnknownKey ? 'has an unknown key' : issue.message;
}
