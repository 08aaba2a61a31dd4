/** Are these the files that were shipped together? (W04) */
import { fail, ok, type Result } from '../result.ts';

/** Lower-case hex SHA-256. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * SHA-256 over what a module imports and exports (kind and name of each, in the module's order).
 * It tells apart the builds of onnxruntime-web, whose bytes a Worker cannot read.
 */
export async function wasmFingerprint(module: WebAssembly.Module): Promise<string> {
  const imports = WebAssembly.Module.imports(module).map(
    (entry) => `import ${entry.kind} ${entry.module}.${entry.name}`,
  );
  const exports = WebAssembly.Module.exports(module).map(
    (entry) => `export ${entry.kind} ${entry.name}`,
  );
  return sha256(new TextEncoder().encode([...imports, ...exports].join('\n')));
}

/**
 * JSON as Python's `json.dumps(value, ensure_ascii=False)` writes it: `affect.json` names the hash of
 * the file `tokenizer.json`, and a Worker is given it parsed. JavaScript moves keys that look like
 * numbers to the front, so a map to numbers, which is the vocabulary, is put back in their order.
 */
export function asWritten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asWritten).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.every(([, id]) => typeof id === 'number')) {
    entries.sort(([, left], [, right]) => Number(left) - Number(right));
  }
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${asWritten(entry)}`).join(', ')}}`;
}

/** Fails with both hashes in the message when they differ. */
export function expectHash(input: {
  /** File name for the message. */
  readonly name: string;
  readonly expected: string;
  readonly found: string;
}): Result<undefined, string> {
  const { name, expected, found } = input;
  if (expected === found) return ok(undefined);
  return fail(`${name} is another file: expected sha256 ${expected}, found ${found}`);
}
