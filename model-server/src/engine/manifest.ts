/** Whether the weights are the files that were exported: sizes and hashes of `manifest.json`. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { failed, type Result, success } from '../result.ts';
import type { ShardFailure } from './shards.ts';

const manifestSchema = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});

const AGAIN =
  'Get the weights again (git checkout -- model-server/models, or "python -m lm.export").';

/** Bytes read at once: fewer round trips to the thread pool than Node's 64 KiB. */
const READ_BYTES = 1_048_576;

/**
 * Compare `firstShard` and its siblings with the manifest beside it. Weights without a manifest (of
 * another exporter) pass, and so do weights that the manifest there does not name.
 * @param firstShard path of the first shard or single file
 * @returns never rejects: it is awaited late
 */
export async function checkManifest(firstShard: string): Promise<Result<null, ShardFailure>> {
  const folder = dirname(firstShard);
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) return success(null);
  const files = readManifest(path);
  if (files === null) {
    return failed({ message: `${path} is not a manifest of weights. ${AGAIN}` });
  }
  // A folder may hold another model beside the one that the manifest is about.
  const model = modelOf(basename(firstShard));
  const ours = files.filter(({ name }) => modelOf(name) === model);
  for (const { name, bytes } of ours) {
    const found = sizeOf(join(folder, name));
    if (found === null) return unreadable(name);
    if (found !== bytes) {
      const message = `Model shard cut or foreign: ${name} has ${found} bytes, the manifest says ${bytes}. ${AGAIN}`;
      return failed({ message });
    }
  }
  for (const { name, sha256 } of ours) {
    const found = await hashOf(join(folder, name));
    if (found === null) return unreadable(name);
    if (found !== sha256) {
      const message = `Model shard corrupt: ${name} has not the SHA-256 of the manifest. ${AGAIN}`;
      return failed({ message });
    }
  }
  return success(null);
}

function readManifest(path: string): z.output<typeof manifestSchema>['files'] | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).files;
  } catch {
    return null;
  }
}

function unreadable(name: string): Result<null, ShardFailure> {
  return failed({ message: `Model shard unreadable: ${name}. ${AGAIN}` });
}

/** What the names of a model's shards have in common. */
function modelOf(name: string): string {
  return name.replace(/-\d{5}-of-/, '-of-');
}

/** Null when there is no such file. */
function sizeOf(path: string): number | null {
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
}

/** Null when the file cannot be read. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  } catch {
    return null;
  }
  return hash.digest('hex');
}
