/** From files to a model that can be asked. */
import type { InferenceSession } from 'onnxruntime-web/wasm';
import { fail, ok, type Result } from '../result.ts';
import { ORT_WASM_INTERFACE } from './constants.ts';
import { type ModelDescription, readDescription } from './description.ts';
import { asWritten, expectHash, sha256, wasmFingerprint } from './integrity.ts';
import { createSession } from './runtime.ts';
import { createTextTokenizer, type TextTokenizer } from './tokenizer.ts';

/** The files as the Worker's modules give them. */
export interface ModelFiles {
  /** `ort-wasm-simd-threaded.wasm`. */
  readonly wasm: WebAssembly.Module;
  /** `affect.int8.onnx`. */
  readonly model: ArrayBuffer;
  /** Parsed `tokenizer.json`. */
  readonly tokenizer: object;
  /** Parsed `affect.json`. */
  readonly description: unknown;
}

export interface LoadedModel {
  readonly description: ModelDescription;
  readonly tokenizer: TextTokenizer;
  readonly session: InferenceSession;
}

/**
 * Checks the files against each other and creates the session. Never throws: the failure is a
 * sentence for the operator, with expected and found hash where a file is another one.
 */
export async function loadModel(files: ModelFiles): Promise<Result<LoadedModel, string>> {
  try {
    const read = readDescription(files.description);
    if (!read.ok) return read;
    const description = read.value;
    const checked = await checkFiles(files, description);
    if (!checked.ok) return checked;
    const tokenizer = createTextTokenizer({ json: files.tokenizer, rules: description.rules });
    const session = await createSession({ model: new Uint8Array(files.model), wasm: files.wasm });
    return ok({ description, tokenizer, session });
  } catch (error) {
    return fail(`the emotion model did not load: ${messageOf(error)}`);
  }
}

/** The module first: the runtime can be started only once in an isolate, so never with a wrong one. */
async function checkFiles(
  files: ModelFiles,
  description: ModelDescription,
): Promise<Result<undefined, string>> {
  const module = expectHash({
    name: 'ort-wasm-simd-threaded.wasm (its interface)',
    expected: ORT_WASM_INTERFACE,
    found: await wasmFingerprint(files.wasm),
  });
  if (!module.ok) return module;
  const tokenizer = expectHash({
    name: 'tokenizer.json',
    expected: description.tokenizer.sha256,
    found: await sha256(new TextEncoder().encode(asWritten(files.tokenizer))),
  });
  if (!tokenizer.ok) return tokenizer;
  return expectHash({
    name: 'affect.int8.onnx',
    expected: description.model.sha256,
    found: await sha256(files.model),
  });
}

/** Nothing that a person wrote is at hand while files load, so the message may be shown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
