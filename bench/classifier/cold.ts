/** The first classification of a fresh isolate, in workerd processes started for nothing else. */
import { median } from '../measure.ts';
import { serveAlone } from '../serve-alone.ts';
import { timer, WORKER } from './worker.ts';

const PROCESSES = 5;

/** Medians over the processes; the empty request before is taken off. */
export async function coldFigures(): Promise<Record<string, number>> {
  const times: number[] = [];
  for (let process = 0; process < PROCESSES; process += 1) times.push(await firstClassify());
  return {
    cold_first_classify_ms: median(times),
    cold_first_classify_ms_best: Math.min(...times),
    cold_processes: PROCESSES,
  };
}

async function firstClassify(): Promise<number> {
  const worker = await serveAlone(WORKER);
  try {
    const time = timer(worker);
    await time(0, 0);
    const empty = await time(0, 0);
    return (await time(20, 1)) - empty;
  } finally {
    await worker.close();
  }
}
