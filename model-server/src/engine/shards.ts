/** Finding the weights: a folder or a first shard, with every shard present. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failed, type Result, success } from '../result.ts';

const SHARD = /-(\d{5})-of-(\d{5})\.gguf$/;

/** What to tell whoever starts the server; names files, never contents. */
export interface ShardFailure {
  readonly message: string;
}

/**
 * Resolve the first shard of a model and check that its siblings exist.
 * @param path a folder with exactly one model, or the path of its first (or only) `.gguf` file
 */
export function findFirstShard(path: string): Result<string, ShardFailure> {
  if (!existsSync(path)) {
    return failed({
      message: `Model weights not found: ${path} does not exist. Set MODEL_PATH to the first shard (…-00001-of-0000N.gguf) or to its folder, or make the weights with "python -m lm.export" in model-server/training.`,
    });
  }
  const first = statSync(path).isDirectory() ? firstOf(path) : success(path);
  if (!first.ok) return first;
  const match = SHARD.exec(first.value);
  const count = Number(match?.[2] ?? 1);
  if (match !== null && Number(match[1]) !== 1) {
    return failed({
      message: `${basename(first.value)} is not the first shard: set MODEL_PATH to …-00001-of-${match[2]}.gguf.`,
    });
  }
  const missing = shardNames(first.value, count).filter(
    (name) => !existsSync(join(dirname(first.value), name)),
  );
  if (missing.length > 0) {
    return failed({
      message: `Model shard missing: ${missing.join(', ')} in ${dirname(first.value)}. Get the weights again (git checkout -- model-server/models, or "python -m lm.export").`,
    });
  }
  return first;
}

function firstOf(folder: string): Result<string, ShardFailure> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.gguf'));
  const firsts = files.filter((name) => (SHARD.exec(name)?.[1] ?? '00001') === '00001');
  const [only, ...others] = firsts;
  if (only !== undefined && others.length === 0) return success(join(folder, only));
  const shards = files.map((name) => SHARD.exec(name)).find((match) => match !== null);
  if (only === undefined && shards !== undefined) {
    return failed({
      message: `Model shard missing: …-00001-of-${shards?.[2]}.gguf in ${folder}. Get the weights again (git checkout -- model-server/models, or "python -m lm.export").`,
    });
  }
  return failed({
    message:
      only === undefined
        ? `No .gguf file in ${folder}. Set MODEL_PATH, or make the weights with "python -m lm.export" in model-server/training.`
        : `More than one model in ${folder}: set MODEL_PATH to the first shard of one of them.`,
  });
}

function shardNames(first: string, count: number): string[] {
  const name = basename(first);
  return Array.from({ length: count }, (_, index) =>
    name.replace(
      SHARD,
      (_all, _number: string, of: string) => `-${String(index + 1).padStart(5, '0')}-of-${of}.gguf`,
    ),
  );
}
