/** A request body as JSON with well-formed strings (case O09). */
import { failed, type Result, success } from '../result.ts';
import type { Failure } from './failures.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Parse bytes that must be UTF-8 JSON without lone surrogates. */
export function parseJson(bytes: ArrayBuffer): Result<unknown, Failure> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return failed({ kind: 'malformed_body', message: 'The body is not UTF-8.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    return failed({ kind: 'malformed_body', message: 'The body is not JSON.' });
  }
  const bad = findIllFormed(value);
  return bad === null ? success(value) : failed({ kind: 'ill_formed_unicode', ...bad });
}

/** The first string with a lone surrogate, keys included: its path and the UTF-16 offset in it. */
export function findIllFormed(
  root: unknown,
): { readonly param: string; readonly offset: number } | null {
  // A stack of its own: a body may be nested deeper than the call stack.
  const pending: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: root }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { path, value } = item;
    if (typeof value === 'string') {
      const offset = value.search(LONE_SURROGATE);
      if (offset >= 0) return { param: path === '' ? 'body' : path, offset };
    } else if (typeof value === 'object' && value !== null) {
      const children = Object.entries(value).map(([key, child]) => ({
        path: path === '' ? key : `${path}.${key}`,
        value: child,
      }));
      for (const { path: key } of children) {
        const offset = key.search(LONE_SURROGATE);
        if (offset >= 0) return { param: path === '' ? 'body' : path, offset };
      }
      pending.push(...children.toReversed());
    }
  }
  return null;
}
