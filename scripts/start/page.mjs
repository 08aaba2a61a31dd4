/** Builds the page when there is no build, or an older one than its sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from './paths.mjs';

const WEB = join(ROOT, 'web');
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];

/** @returns {number} the newest change below a path, in milliseconds since 1970; 0 where there is none */
function newest(path) {
  if (!existsSync(path)) return 0;
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  // The folder's own time changes when a file is removed.
  return readdirSync(path).reduce(
    (last, name) => Math.max(last, newest(join(path, name))),
    info.mtimeMs,
  );
}

/** @returns {boolean} */
export function pageIsStale() {
  const built = join(WEB, 'dist', 'index.html');
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return SOURCES.some((source) => newest(join(WEB, source)) > mtimeMs);
}

/** @returns {string | null} what went wrong, with the builder's own words */
export function buildPage() {
  const vite = createRequire(join(WEB, 'package.json')).resolve('vite/package.json');
  const run = spawnSync(process.execPath, [join(dirname(vite), 'bin', 'vite.js'), 'build'], {
    cwd: WEB,
    encoding: 'utf8',
  });
  if (run.status === 0) return null;
  return `The page could not be built.\n${run.stdout}${run.stderr}`.trimEnd();
}
