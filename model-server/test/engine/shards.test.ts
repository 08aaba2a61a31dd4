import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFirstShard } from '../../src/engine/shards.ts';

let folder = '';
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(join(folder, name), '');
};
const message = (path: string) => {
  const result = findFirstShard(path);
  return result.ok ? null : result.failure.message;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attune-shards-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('finding the weights', () => {
  it('takes the first shard of a folder', () => {
    put('m-00001-of-00002.gguf', 'm-00002-of-00002.gguf', 'manifest.json');
    expect(findFirstShard(folder)).toEqual({
      ok: true,
      value: join(folder, 'm-00001-of-00002.gguf'),
    });
  });

  it('takes a path to the first shard and a single file', () => {
    put('m-00001-of-00002.gguf', 'm-00002-of-00002.gguf', 'one.gguf');
    expect(findFirstShard(join(folder, 'm-00001-of-00002.gguf')).ok).toBe(true);
    expect(findFirstShard(join(folder, 'one.gguf')).ok).toBe(true);
  });

  it('names each missing shard and how to get it', () => {
    put('m-00001-of-00003.gguf', 'm-00002-of-00003.gguf');
    expect(message(folder)).toMatch(/shard missing: m-00003-of-00003\.gguf in .*git checkout/);
  });

  it('says so when only the first shard is missing', () => {
    put('m-00002-of-00003.gguf', 'm-00003-of-00003.gguf');
    expect(message(folder)).toMatch(/shard missing: …-00001-of-00003\.gguf/);
  });

  it('refuses a later shard as the path', () => {
    put('m-00001-of-00002.gguf', 'm-00002-of-00002.gguf');
    expect(message(join(folder, 'm-00002-of-00002.gguf'))).toMatch(/not the first shard/);
  });

  it('says what to set when nothing, or too much, is there', () => {
    expect(message(join(folder, 'nowhere'))).toMatch(/does not exist\. Set MODEL_PATH/);
    expect(message(folder)).toMatch(/No \.gguf file/);
    put('a.gguf', 'b.gguf');
    expect(message(folder)).toMatch(/More than one model/);
  });
});
