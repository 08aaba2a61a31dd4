/** How long the real Worker's script takes to start: the part that Cloudflare limits to 1 s. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { OFFLINE } from '../../eval/serve.ts';
import { median } from '../measure.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROFILES = 3;

/** Building and starting take seconds; what hangs is ended. */
const BUILD_MS = 120_000;

/** V8's CPU profile; times in microseconds. */
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: z.object({ functionName: z.string() }) })),
  startTime: z.number(),
  endTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});

export type Profile = z.infer<typeof profileSchema>;

/**
 * Medians over several `wrangler check startup` of the Worker of wrangler.toml (profiled, so rather
 * too long): from the profile's start to its end, and the part of it that was not idle.
 * @throws when it does not build, with wrangler's words
 */
export async function startupFigures(): Promise<Record<string, number>> {
  const profiles: Profile[] = [];
  for (let run = 0; run < PROFILES; run += 1) profiles.push(await profileOfStart());
  return {
    worker_startup_ms: median(
      profiles.map(({ startTime, endTime }) => (endTime - startTime) / 1e3),
    ),
    worker_startup_busy_ms: median(profiles.map(busyMs)),
  };
}

/** Milliseconds of the samples that were not idle. Pure. */
export function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(
    nodes.flatMap(({ id, callFrame }) => (callFrame.functionName === '(idle)' ? [id] : [])),
  );
  return samples.reduce(
    (sum, node, index) => (idle.has(node) ? sum : sum + (timeDeltas[index] ?? 0) / 1e3),
    0,
  );
}

async function profileOfStart(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-startup-'));
  try {
    const wrangler = createRequire(import.meta.url).resolve('wrangler/bin/wrangler.js');
    const outfile = join(folder, 'startup.cpuprofile');
    await promisify(execFile)(
      process.execPath,
      [wrangler, 'check', 'startup', '--outfile', outfile],
      { cwd: ROOT, env: { ...process.env, ...OFFLINE }, timeout: BUILD_MS },
    );
    return profileSchema.parse(JSON.parse(await readFile(outfile, 'utf8')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
