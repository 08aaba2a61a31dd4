/** What the classifier takes in memory: its process, and inside it the isolate. MB are 10^6 bytes. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { residentMb } from '../measure.ts';
import { descendants } from '../processes.ts';
import { type Alone, serveAlone } from '../serve-alone.ts';
import { timer, WORKER } from './worker.ts';

/** Calls after which a leak of one small object a call would show (W06). */
const CALLS = 2_500;
const CALLS_PER_REQUEST = 50;
const WORDS = 8;

/** The probe answers in a second; a hung inspector must not hang the bench. */
const PROBE_MS = 40_000;

const PROBE = fileURLToPath(new URL('../heap-probe.ts', import.meta.url));
const heapSchema = z.object({
  /** JavaScript objects, after a collection. */
  usedSize: z.number(),
  embedderHeapUsedSize: z.number(),
  /** Array buffers: the model's bytes among them. */
  backingStorageSize: z.number(),
});

type Heap = z.infer<typeof heapSchema>;

/**
 * Resident memory of the workerd process that grew most by loading the model: before, after the
 * first call and after 2,500 more; of its isolate the JavaScript heap (after a collection), array
 * buffers and onnxruntime's linear memory. English never wakes the language detector, so after all
 * that a Spanish message does: the time of the first one, of the second, and the isolate with the
 * detector in it. `null` where the system does not tell (no /proc).
 *
 * @throws when the Worker or its inspector does not answer, and when the Spanish is not told
 */
export async function memoryFigures(): Promise<Record<string, number | null>> {
  const worker = await serveAlone(WORKER, { inspect: true });
  try {
    await worker.get('/');
    const before = await residents();
    await worker.get(`/?words=${WORDS}&calls=1`);
    const loaded = await residents();
    const pid = grownMost(before, loaded);
    // Lazily compiled functions and caches of the first calls are no growth.
    await callMany(worker, CALLS_PER_REQUEST);
    const heapLoaded = await heapOf(worker);
    await callMany(worker, CALLS);
    const heapAfter = await heapOf(worker);
    const linear = await linearOf(worker);
    const resident = await residentMb(pid);
    const [first, second] = [await foreignMs(worker), await foreignMs(worker)];
    const withDetector = isolateMb(await heapOf(worker), await linearOf(worker));
    return {
      rss_before_model_mb: pid === undefined ? null : (before.get(pid) ?? null),
      rss_with_model_mb: pid === undefined ? null : (loaded.get(pid) ?? null),
      rss_after_2500_calls_mb: resident,
      onnxruntime_memory_mb: linear / 1e6,
      array_buffers_mb: heapAfter.backingStorageSize / 1e6,
      js_heap_mb: heapAfter.usedSize / 1e6,
      js_heap_growth_2500_calls_mb: (heapAfter.usedSize - heapLoaded.usedSize) / 1e6,
      isolate_mb: isolateMb(heapAfter, linear),
      isolate_with_detector_mb: withDetector,
      first_foreign_message_ms: first,
      second_foreign_message_ms: second,
    };
  } finally {
    await worker.close();
  }
}

async function callMany(worker: Alone, calls: number): Promise<void> {
  for (let done = 0; done < calls; done += CALLS_PER_REQUEST) {
    await worker.get(`/?words=${WORDS}&calls=${CALLS_PER_REQUEST}`);
  }
}

/** Bytes of onnxruntime's linear memory. */
async function linearOf(worker: Alone): Promise<number> {
  return Number(await worker.get('/memory'));
}

function isolateMb(heap: Heap, linear: number): number {
  return (heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize + linear) / 1e6;
}

/** Milliseconds of a Spanish message, an empty request taken off. */
async function foreignMs(worker: Alone): Promise<number> {
  const time = timer(worker);
  await time(0, 0);
  const empty = await time(0, 0);
  const start = performance.now();
  const language = await worker.get('/foreign');
  const took = performance.now() - start;
  if (language !== 'es') throw new Error(`the Spanish message was read as "${language}"`);
  return took - empty;
}

/** wrangler starts one workerd for itself and one for the Worker; only the latter loads the model. */
function grownMost(before: Map<number, number>, after: Map<number, number>): number | undefined {
  const growth = ([pid, mb]: [number, number]) => mb - (before.get(pid) ?? 0);
  return [...after].toSorted((left, right) => growth(right) - growth(left))[0]?.[0];
}

async function residents(): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const pid of await descendants(process.pid, 'workerd')) {
    const mb = await residentMb(pid);
    if (mb !== null) found.set(pid, mb);
  }
  return found;
}

async function heapOf({ inspector = '' }: Alone): Promise<Heap> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--experimental-websocket', '--import', 'tsx', PROBE, inspector],
    { timeout: PROBE_MS },
  );
  return heapSchema.parse(JSON.parse(stdout));
}
