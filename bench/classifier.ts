/** `npm run bench -- classifier [--fp32 FILE]`: the edge classifier in workerd. */
import { inTime } from '../eval/in-time.ts';
import { bytesOf, withBundle } from './bundle.ts';
import { coldFigures } from './classifier/cold.ts';
import { memoryFigures } from './classifier/memory.ts';
import { startupFigures } from './classifier/startup.ts';
import { warmFigures } from './classifier/warm.ts';

/** On an idle machine all parts together take some minutes; a hung one must not hang the bench. */
const PART_MS = 600_000;

/**
 * Milliseconds (medians), MB and bytes; what each figure is stands in its file of `classifier/`.
 * @param options.fp32 path of the fp32 graph, which is not in the repository; the served graph's
 *   ratio to it is measured in the same rounds
 * @throws with the part's name when the bundle does not build, the Worker or its inspector does not
 *   answer, or a part takes longer than ten minutes
 */
export async function run(
  options: { readonly fp32?: string } = {},
): Promise<Record<string, number | null>> {
  const parts = {
    'cold starts': coldFigures,
    'warm calls': () => warmFigures(options.fp32),
    'start-up': startupFigures,
    memory: memoryFigures,
    'bundle sizes': bundleSizes,
  };
  const figures: Record<string, number | null> = {};
  for (const [name, measure] of Object.entries(parts)) {
    Object.assign(figures, await part(name, measure));
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, value === null ? null : round(value)]),
  );
}

/** One part, with its name in whatever goes wrong in it and a line on stderr when it is done. */
async function part<T>(name: string, measure: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    const figures = await inTime(measure(), { ms: PART_MS, what: 'it' });
    console.error(`${name}: ${Math.round((performance.now() - start) / 1_000)} s`);
    return figures;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}: ${reason}`, { cause });
  }
}

async function bundleSizes(): Promise<Record<string, number>> {
  return withBundle(async ({ modules }) => ({
    bundle_bytes: bytesOf(modules, ''),
    model_bytes: bytesOf(modules, '.onnx'),
    wasm_bytes: bytesOf(modules, '.wasm'),
    script_bytes: bytesOf(modules, 'js'),
  }));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
