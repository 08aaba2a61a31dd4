/** What is in the Worker's bundle, and that it is what was checked and measured. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bytesOf, withBundle } from '../../../bench/bundle.ts';
import { ORT_WASM_SHA256 } from '../../../src/affect/constants.ts';
import description from '../../../src/affect/model/affect.json' with { type: 'json' };

const MODEL = new URL('../../../src/affect/model/', import.meta.url);

/** What wrangler.toml makes public (`npm run build` writes it). */
const ASSETS = new URL('../../../web/dist/', import.meta.url);

/** Largest script that Cloudflare takes, uncompressed (its limit since 2026-09-04). */
const MOST_BYTES = 64 * 1024 * 1024;

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The `key = value` lines that decide how a Worker is bundled and run. */
function settings(toml: string): string[] {
  return toml.match(/^(compatibility_\w+ = .*|rules = \[[^\]]*?(?:\[[^\]]*\][^\]]*?)*\])$/gm) ?? [];
}

describe('the files', () => {
  it.each(['affect.int8.onnx', 'tokenizer.json'] as const)(
    'W04 %s is the file that affect.json describes',
    async (name) => {
      const bytes = await readFile(new URL(name, MODEL));
      expect(sha256(bytes)).toBe(description.files[name].sha256);
      expect(bytes.byteLength).toBe(description.files[name].bytes);
    },
  );

  it('W04 the installed wasm is the one that was checked', async () => {
    const path = createRequire(import.meta.url).resolve(
      'onnxruntime-web/ort-wasm-simd-threaded.wasm',
    );
    expect(sha256(await readFile(path))).toBe(ORT_WASM_SHA256);
  });
});

describe('the static assets', () => {
  it('hold no file of the model and no runtime', async () => {
    const names = await readdir(ASSETS, { recursive: true });
    expect(names).toContain('index.html');
    expect(
      names.filter((name) => /\.(onnx|wasm)$|(tokenizer|affect|parity)\.json$/.test(name)),
    ).toEqual([]);
  });
});

describe('the bundle', () => {
  it('W02 W03 W05 holds the plain wasm once, the model once, and fits', async () => {
    await withBundle(async ({ modules, inputs, read }) => {
      const names = [...modules.keys()];
      const wasm = names.filter((name) => name.endsWith('.wasm'));
      const models = names.filter((name) => name.endsWith('.onnx'));
      expect(wasm).toEqual([expect.stringMatching(/-ort-wasm-simd-threaded\.wasm$/)]);
      expect(models).toEqual([expect.stringMatching(/-affect\.int8\.onnx$/)]);
      expect(sha256(await read(wasm[0] ?? ''))).toBe(ORT_WASM_SHA256);
      expect(sha256(await read(models[0] ?? ''))).toBe(
        description.files['affect.int8.onnx'].sha256,
      );
      const runtime = inputs.filter((path) => path.includes('onnxruntime-web/'));
      expect(runtime).toEqual([expect.stringMatching(/dist\/ort\.wasm\.bundle\.min\.mjs$/)]);
      const bytes = bytesOf(modules, '');
      expect(bytes, `the bundle has ${bytes} bytes of ${MOST_BYTES}`).toBeLessThan(MOST_BYTES);
    });
  });

  it('the Worker that is measured alone is bundled and run like the real one', async () => {
    const [real, alone] = await Promise.all(
      ['wrangler.toml', 'bench/alone.toml'].map((path) =>
        readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'),
      ),
    );
    expect(settings(alone ?? '')).toHaveLength(3);
    expect(settings(alone ?? '')).toEqual(settings(real ?? ''));
  });
});
