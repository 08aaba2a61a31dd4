/** Reads a helpline file as text, so that faults can be named by line. For uploads and the build. */
import { type DataError, type HelplineData, readHelplines } from './helpline-data.ts';

interface Element {
  readonly line: number;
  readonly text: string;
}

/** Cuts the elements out of a JSON list without parsing them: brackets, strings, line counting. */
function elements(text: string): readonly Element[] | null {
  const out: Element[] = [];
  let depth = 0;
  let line = 1;
  let start = -1;
  let startLine = 1;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n') line += 1;
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
      continue;
    }
    const closes = sign === ']' || sign === '}';
    const ends = depth === 1 && (sign === ',' || closes);
    if (ends && start >= 0) {
      out.push({ line: startLine, text: text.slice(start, at) });
      start = -1;
    }
    if (depth === 1 && start < 0 && !ends && !/\s/.test(sign)) {
      start = at;
      startLine = line;
    }
    if (sign === '"') quoted = true;
    if (sign === '[' || sign === '{') depth += 1;
    if (closes) depth -= 1;
  }
  return depth === 0 && !quoted && text.trimStart().startsWith('[') ? out : null;
}

/**
 * Checks a whole file.
 *
 * @returns the entries, or every fault with its line (that of the entry's first character)
 */
export function readHelplineFile(text: string): HelplineData {
  const parts = elements(text);
  if (!parts) return { ok: false, errors: [{ line: 1, message: 'not a complete JSON list' }] };
  const values: unknown[] = [];
  const errors: DataError[] = [];
  for (const part of parts) {
    try {
      values.push(JSON.parse(part.text));
    } catch {
      errors.push({ line: part.line, message: 'not valid JSON' });
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  return readHelplines(values, (index) => parts[index]?.line ?? 1);
}
