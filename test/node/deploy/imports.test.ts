import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { read } from './files.ts';

it('the model server imports only packages of its own manifest: the image installs no others', () => {
  const root = fileURLToPath(new URL('../../../model-server/src', import.meta.url));
  const imported = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...read(`model-server/src/${name}`).matchAll(/from '([^.'][^']*)'/g)])
    .flatMap((match) => /^(@[^/]+\/)?[^/]+/.exec(match[1] ?? '')?.[0] ?? [])
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  const manifest: unknown = JSON.parse(read('model-server/package.json'));
  expect(imported).toContain('node-llama-cpp');
  for (const name of new Set(imported)) {
    expect(manifest, name).toHaveProperty(['dependencies', name]);
  }
});
