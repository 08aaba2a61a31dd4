/** Reads the deployment files: YAML with merge keys, and the Dockerfile as instructions. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const ROOT = new URL('../../../', import.meta.url);

/** Text of a file of the repository. */
export function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8');
}

/** Parsed YAML documents. @throws when one of them is not YAML */
export function documents(path: string): unknown[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  });
}

/** Every object below a value, the value included, in depth-first order. */
export function objects(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Array.isArray(value) ? [] : [Object.fromEntries(Object.entries(value))];
  return [...here, ...Object.values(value).flatMap(objects)];
}

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The stages of a Dockerfile by name; instructions before the first FROM are under ''. */
export function stages(text: string): ReadonlyMap<string, readonly Instruction[]> {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const found = new Map<string, Instruction[]>();
  let stage: Instruction[] = [];
  found.set('', stage);
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === '') continue;
    if (name === 'FROM') {
      stage = [];
      found.set(/ AS (\S+)$/.exec(rest)?.[1] ?? rest, stage);
    }
    stage.push({ name, rest });
  }
  return found;
}

/** `NAME=value` pairs of the ENV instructions of a stage. */
export function environment(stage: readonly Instruction[]): Record<string, string> {
  const pairs = stage
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => rest.split(/\s+/).map((pair) => pair.split('=')));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
