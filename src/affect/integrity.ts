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
