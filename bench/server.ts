/**
 * The model server alone: one, four and eight users over HTTP and server-sent events, and the bare
 * engine in this process with the same prompts and seeds. The arms take turns, so that a machine
 * that gets slower or faster does so for all of them.
 */

import { serveModel } from '../eval/serve.ts';
import { DEFAULT_MODEL_PATH } from '../model-server/src/config.ts';
import { DEFAULT_CONTEXT_SIZE, DEFAULT_SEQUENCES } from '../model-server/src/constants.ts';
import { loadEngine } from '../model-server/src/engine/llama.ts';
import { defaultThreads } from '../model-server/src/start-engine.ts';
import { median, residentMb } from './measure.ts';
import { type Arm, type ArmResult, runArm } from './server/arm.ts';
import { bareSpeaker } from './server/bare.ts';
import { httpSpeaker } from './server/over-http.ts';

const ROUNDS = 3;
/** No further round begins after this, so that all is over within 45 s on a slow machine, too. */
const LAST_START_MS = 15_000;
/** Users, and requests of each. */
const ALONE = { users: 1, requests: 3 };
const FEW = { users: 4, requests: 2 };
const MANY = { users: 8, requests: 2 };

export async function run(): Promise<Record<string, number | string | null>> {
  const threads = process.env['MODEL_THREADS']
    ? Number(process.env['MODEL_THREADS'])
    : defaultThreads();
  const server = await serveModel();
  try {
    const engine = await loadEngine({
      modelPath: process.env['MODEL_PATH'] || DEFAULT_MODEL_PATH,
      sequences: DEFAULT_SEQUENCES,
      contextSize: DEFAULT_CONTEXT_SIZE,
      threads,
      gpu: process.env['MODEL_GPU'] === 'auto' ? 'auto' : false,
      warn: () => {},
    });
    try {
      const speakers = { http: httpSpeaker(server), bare: bareSpeaker(engine) };
      const arms: Arm[] = [
        { ...ALONE, name: 'http_1', speak: speakers.http },
        { ...ALONE, name: 'bare_1', speak: speakers.bare },
        { ...FEW, name: 'http_4', speak: speakers.http },
        { ...MANY, name: 'http_8', speak: speakers.http },
        { ...MANY, name: 'bare_8', speak: speakers.bare },
      ];
      // Every sequence holds the persona from here on.
      for (const [name, speak] of Object.entries(speakers)) {
        await runArm({ ...MANY, requests: 1, name, speak }, 0);
      }
      const results: ArmResult[] = [];
      const last = performance.now() + LAST_START_MS;
      let rounds = 0;
      while (rounds < ROUNDS && (rounds === 0 || performance.now() < last)) {
        for (const arm of arms) results.push(await runArm(arm, rounds));
        rounds++;
      }
      return {
        ...figures(results),
        rounds,
        threads,
        resident_mb: await residentMb(server.pid),
        protocol,
      };
    } finally {
      await engine.close();
    }
  } finally {
    await server.close();
  }
}

const protocol =
  'tokens_per_s_median: one user, after the first token, median of the streams. Of n users: all tokens by the time until the last one, prompts included, median of the rounds; the arms take turns, http and bare with the same prompts and seeds; gains and http_of_bare are medians of the ratios within a round';

function figures(results: readonly ArmResult[]): Record<string, number> {
  const of = (name: string) => results.filter((result) => result.name === name);
  const speed = (name: string) => median(of(name).map(({ tokens_per_s }) => tokens_per_s));
  const ratio = (above: string, below: string) => {
    const base = of(below);
    return median(
      of(above).map(({ tokens_per_s }, round) => tokens_per_s / (base[round]?.tokens_per_s ?? 0)),
    );
  };
  const streams = of('http_1').flatMap(({ spoken }) => spoken);
  const waits = of('http_8').flatMap(({ spoken }) => spoken);
  return {
    requests: streams.length,
    first_delta_ms_median: median(streams.map(({ first_ms }) => first_ms)),
    tokens_per_s_median: median(
      streams.filter(({ tokens }) => tokens > 4).map((s) => s.tokens_per_s),
    ),
    tokens_per_s_1_user: speed('http_1'),
    tokens_per_s_4_users: speed('http_4'),
    tokens_per_s_8_users: speed('http_8'),
    gain_4_users: ratio('http_4', 'http_1'),
    gain_8_users: ratio('http_8', 'http_1'),
    first_delta_ms_median_8_users: median(waits.map(({ first_ms }) => first_ms)),
    bare_tokens_per_s_1_user: speed('bare_1'),
    bare_tokens_per_s_8_users: speed('bare_8'),
    http_of_bare_1_user: ratio('http_1', 'bare_1'),
    http_of_bare_8_users: ratio('http_8', 'bare_8'),
  };
}
