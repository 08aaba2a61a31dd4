/** `npm run bench -- classifier`: the edge classifier in workerd, timed from outside. */
import { fileURLToPath } from 'node:url';
import { bytesOf, withBundle } from './bundle.ts';
import { median } from './measure.ts';
import { serveAlone } from './serve-alone.ts';

const WORKER = fileURLToPath(new URL('./classifier-worker.ts', import.meta.url));

/** Words (= tokens) of the messages; the last fills the model's 128 with [CLS], mark and [SEP]. */
const LENGTHS = [20, 64, 125] as const;

/** The first calls of an isolate run in V8's baseline compiler, about twice as slow. */
const WARM_UP_CALLS = 40;

/** Each round times every length once, so that a busy minute does not fall on one of them. */
const ROUNDS = 15;
const CALLS_PER_ROUND = 10;

/**
 * Milliseconds per call (median over rounds, and the best round beside it, which is nearer to an idle
 * machine), the first call of an isolate, and sizes in bytes, uncompressed.
 * @throws when the bundle does not build or the Worker does not answer
 */
export async function run(): Promise<Record<string, number | string>> {
  return { ...(await timeCalls()), ...(await bundleSizes()) };
}

async function timeCalls(): Promise<Record<string, number>> {
  const worker = await serveAlone(WORKER);
  try {
    const time = async (words: number, calls: number): Promise<number> => {
      const start = performance.now();
      await worker.get(`/?words=${words}&calls=${calls}`);
      return performance.now() - start;
    };
    await time(0, 0);
    const empty = await time(0, 0);
    const cold = (await time(20, 1)) - empty;
    return { cold_first_classify_ms: round(cold), ...(await timeWarm(time)) };
  } finally {
    await worker.close();
  }
}

async function timeWarm(
  time: (words: number, calls: number) => Promise<number>,
): Promise<Record<string, number>> {
  await time(64, WARM_UP_CALLS);
  const empties: number[] = [];
  const perCall = new Map<number, number[]>(LENGTHS.map((words) => [words, []]));
  for (let index = 0; index < ROUNDS; index += 1) {
    const empty = await time(0, 0);
    empties.push(empty);
    for (const words of LENGTHS) {
      const elapsed = await time(words, CALLS_PER_ROUND);
      perCall.get(words)?.push((elapsed - empty) / CALLS_PER_ROUND);
    }
  }
  const figures: Record<string, number> = { empty_request_ms: round(median(empties)) };
  for (const [words, values] of perCall) {
    const name = words === LENGTHS.at(-1) ? 'full_window' : `${words}_tokens`;
    figures[`warm_ms_${name}`] = round(median(values));
    figures[`warm_ms_${name}_best`] = round(Math.min(...values));
  }
  return figures;
}

async function bundleSizes(): Promise<Record<string, number>> {
  return withBundle(async ({ modules }) => ({
    bundle_bytes: bytesOf(modules, ''),
    model_bytes: bytesOf(modules, '.onnx'),
    wasm_bytes: bytesOf(modules, '.wasm'),
    script_bytes: bytesOf(modules, 'js'),
  }));
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
