/** Runs `scripts/start.mjs` for cases in which it ends by itself. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, temporaryHome } from './service.ts';

/** How a command ended and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * @param args arguments of `npm start --`
 * @param options `root`: a copy of the repository; `node`: arguments of Node itself;
 *   `modelPath`: MODEL_PATH, by default unset, whatever the developer's own is
 */
export function runStart(
  args: readonly string[],
  {
    root = ROOT,
    node = [],
    modelPath = '',
  }: {
    readonly root?: string;
    readonly node?: readonly string[];
    readonly modelPath?: string;
  } = {},
): Ended {
  const home = temporaryHome();
  try {
    const run = spawnSync(
      process.execPath,
      [...node, join(root, 'scripts', 'start.mjs'), ...args],
      {
        cwd: home.path,
        encoding: 'utf8',
        env: { ...process.env, ATTUNE_HOME: home.path, MODEL_PATH: modelPath },
      },
    );
    return { code: run.status, output: run.stdout + run.stderr };
  } finally {
    home.remove();
  }
}
