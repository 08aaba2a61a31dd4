/** Builds what `wrangler deploy` would upload, without uploading it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OFFLINE } from '../eval/serve.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A build takes seconds; one that hangs is ended. */
const BUILD_MS = 120_000;

/** Source maps and notes lie beside the modules and are not uploaded. */
const MODULES = /\.(js|mjs|wasm|onnx)$/;

export interface Bundle {
  /** Uploaded modules: file name → bytes, uncompressed. */
  readonly modules: ReadonlyMap<string, number>;
  /** Source files that esbuild put into the script. */
  readonly inputs: readonly string[];
  /** The bytes of one module. */
  read(name: string): Promise<Buffer>;
}

/**
 * Builds the Worker of wrangler.toml and hands it to `use`; the files are gone afterwards.
 * @throws when it does not build, with wrangler's words
 */
export async function withBundle<T>(use: (bundle: Bundle) => Promise<T>): Promise<T> {
  const out = await mkdtemp(join(tmpdir(), 'attune-bundle-'));
  try {
    const wrangler = createRequire(import.meta.url).resolve('wrangler/bin/wrangler.js');
    await promisify(execFile)(
      process.execPath,
      [wrangler, 'deploy', '--dry-run', '--outdir', out, '--metafile', '--env', ''],
      { cwd: ROOT, env: { ...process.env, ...OFFLINE }, timeout: BUILD_MS },
    );
    const modules = new Map<string, number>();
    for (const name of await readdir(out)) {
      if (MODULES.test(name)) modules.set(name, (await stat(join(out, name))).size);
    }
    const meta: { inputs: object } = JSON.parse(
      await readFile(join(out, 'bundle-meta.json'), 'utf8'),
    );
    return await use({
      modules,
      inputs: Object.keys(meta.inputs),
      read: (name) => readFile(join(out, name)),
    });
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Bytes of the modules whose name ends like this; of all for the empty ending. */
export function bytesOf(modules: Bundle['modules'], ending: string): number {
  return Array.from(modules)
    .filter(([name]) => name.endsWith(ending))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
}
