import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkManifest } from '../../src/engine/manifest.ts';

let folder = '';
const FIRST = 'm-00001-of-00002.gguf';
const SECOND = 'm-00002-of-00002.gguf';
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const entry = (name: string, text: string) => ({
  name,
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});
const message = async () => {
  const result = await checkManifest(join(folder, FIRST));
  return result.ok ? null : result.failure.message;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attune-manifest-'));
  put(FIRST, 'one');
  put(SECOND, 'two');
  const files = [entry(FIRST, 'one'), entry(SECOND, 'two')];
  put('manifest.json', JSON.stringify({ format_version: 1, files }));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the manifest of weights', () => {
  it('passes the files that were exported, and weights without a manifest', async () => {
    expect(await message()).toBeNull();
    rmSync(join(folder, 'manifest.json'));
    put(SECOND, 'other');
    expect(await message()).toBeNull();
  });

  it('names a shard that was cut short, with both sizes and how to get it again', async () => {
    put(SECOND, 't');
    expect(await message()).toMatch(
      /m-00002-of-00002\.gguf has 1 bytes, .*says 3\. .*git checkout/,
    );
  });

  it('names a shard whose bytes have changed', async () => {
    put(SECOND, 'twO');
    expect(await message()).toMatch(/corrupt: m-00002-of-00002\.gguf .*SHA-256.*git checkout/);
  });

  it('names a shard that cannot be read', async () => {
    rmSync(join(folder, SECOND));
    mkdirSync(join(folder, SECOND));
    const { size } = statSync(join(folder, SECOND));
    const files = [entry(FIRST, 'one'), { ...entry(SECOND, 'two'), bytes: size }];
    put('manifest.json', JSON.stringify({ files }));
    expect(await message()).toMatch(/unreadable: m-00002-of-00002\.gguf/);
  });

  it('names a shard of this model that has gone', async () => {
    rmSync(join(folder, SECOND));
    expect(await message()).toMatch(/unreadable: m-00002-of-00002\.gguf/);
  });

  it('looks at no file of another model in the same folder', async () => {
    put('other.gguf', 'torn');
    put('m-00001-of-00003.gguf', 'torn');
    const files = [
      entry(FIRST, 'one'),
      entry(SECOND, 'two'),
      entry('other.gguf', 'whole'),
      entry('m-00001-of-00003.gguf', 'whole'),
    ];
    put('manifest.json', JSON.stringify({ files }));
    expect(await message()).toBeNull();
    put('manifest.json', JSON.stringify({ files: files.slice(2) }));
    expect(await message()).toBeNull();
  });

  it('says so when the manifest itself is none', async () => {
    put('manifest.json', '{"files": [');
    expect(await message()).toMatch(/manifest\.json is not a manifest/);
  });
});
