/** A request body as JSON with well-formed strings (case O09). */
import { MAX_JSON_DEPTH } from '../constants.ts';
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
  return bad === null ? success(value) : failed(bad);
}

/**
 * The first string with a lone surrogate, keys included, or too deep a nesting. The offset counts
 * UTF-16 code units inside the string.
 */
export function findIllFormed(root: unknown): Failure | null {
  const pending: Item[] = [{ path: '', depth: 0, value: root }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { path, depth, value } = item;
    const param = path === '' ? 'body' : path;
    if (typeof value === 'string') {
      const offset = value.search(LONE_SURROGATE);
      if (offset >= 0) return { kind: 'ill_formed_unicode', param, offset };
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_JSON_DEPTH)
        return { kind: 'malformed_body', message: 'The body is nested too deeply.' };
      const entries = Object.entries(value);
      for (const [key] of entries) {
        const offset = key.search(LONE_SURROGATE);
        if (offset >= 0) return { kind: 'ill_formed_unicode', param, offset };
      }
      for (const [key, child] of entries.toReversed()) {
        pending.push({
          path: path === '' ? key : `${path}.${key}`,
          depth: depth + 1,
          value: child,
        });
      }
    }
  }
  return null;
}

interface Item {
  readonly path: string;
  readonly depth: number;
  readonly value: unknown;
}
