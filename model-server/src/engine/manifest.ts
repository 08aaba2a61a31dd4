/** Whether the weights are the files that were exported: sizes and hashes of `manifest.json`. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
 * Compare the shards beside `firstShard` with the manifest there. Weights without a manifest (of
 * another exporter) pass.
 * @param firstShard path of the first shard or single file
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
  const ours = files.filter(({ name }) => existsSync(join(folder, name)));
  for (const { name, bytes } of ours) {
    const found = statSync(join(folder, name)).size;
    if (found !== bytes) {
      const message = `Model shard cut or foreign: ${name} has ${found} bytes, the manifest says ${bytes}. ${AGAIN}`;
      return failed({ message });
    }
  }
  for (const { name, sha256 } of ours) {
    const found = await hashOf(join(folder, name));
    if (found === null) return failed({ message: `Model shard unreadable: ${name}. ${AGAIN}` });
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
