/** Warm calls, timed from outside; with another graph beside it where one is given. */
import { readFile } from 'node:fs/promises';
import { median } from '../measure.ts';
import { type Alone, serveAlone } from '../serve-alone.ts';
import { type Timer, timer, WORKER } from './worker.ts';

/**
 * Tokens of the message → words of it. 128 is the model's whole window, with `[CLS]`, mark and
 * `[SEP]`; the others are tokens of the text, so 23 and 67 go through the graph.
 */
export const LENGTHS = { 20: 20, 64: 64, 128: 125 } as const;

/** The first calls of an isolate run in V8's baseline compiler, about twice as slow. */
const WARM_UP_CALLS = 40;

/** Each round times every length and graph once, so that a busy minute falls on all of them. */
const ROUNDS = 15;
const CALLS_PER_ROUND = 10;

/** Milliseconds per call, one value a round, by tokens. */
type Rounds = Map<string, number[]>;

/**
 * Medians over the rounds, the best round beside them (nearer to an idle machine), and with `fp32`
 * the same of that graph and the median of the rounds' ratios served / fp32.
 *
 * @param fp32 path of a graph with the inputs and outputs of the served one
 */
export async function warmFigures(fp32: string | undefined): Promise<Record<string, number>> {
  const workers: Alone[] = [];
  try {
    const served = await warmed(workers);
    const other = fp32 === undefined ? undefined : await warmed(workers, await readFile(fp32));
    const empties: number[] = [];
    const [mine, theirs]: [Rounds, Rounds] = [new Map(), new Map()];
    for (let round = 0; round < ROUNDS; round += 1) {
      empties.push(await served(0, 0));
      const empty = median(empties);
      await timeRound(served, empty, mine);
      if (other !== undefined) await timeRound(other, empty, theirs);
    }
    return {
      empty_request_ms: median(empties),
      ...medians('warm_ms', mine),
      ...medians('fp32_ms', theirs),
      ...ratios(mine, theirs),
    };
  } finally {
    for (const worker of workers) await worker.close();
  }
}

async function warmed(workers: Alone[], model?: Uint8Array): Promise<Timer> {
  const worker = await serveAlone(WORKER);
  workers.push(worker);
  if (model !== undefined) await worker.post('/model', model);
  const time = timer(worker);
  await time(64, WARM_UP_CALLS);
  return time;
}

/** Adds one value for each length, less the time of a request without a call. */
async function timeRound(time: Timer, empty: number, rounds: Rounds): Promise<void> {
  for (const [tokens, words] of Object.entries(LENGTHS)) {
    const perCall = ((await time(words, CALLS_PER_ROUND)) - empty) / CALLS_PER_ROUND;
    rounds.set(tokens, [...(rounds.get(tokens) ?? []), perCall]);
  }
}

function medians(name: string, rounds: Rounds): Record<string, number> {
  return Object.fromEntries(
    Array.from(rounds).flatMap(([tokens, values]) => [
      [`${name}_${tokens}_tokens`, median(values)],
      [`${name}_${tokens}_tokens_best`, Math.min(...values)],
    ]),
  );
}

/** Of pairs of the same round, so that a slow minute does not fall on one side. */
function ratios(mine: Rounds, theirs: Rounds): Record<string, number> {
  return Object.fromEntries(
    Array.from(theirs, ([tokens, values]) => [
      `ratio_to_fp32_${tokens}_tokens`,
      median(values.map((value, round) => (mine.get(tokens)?.[round] ?? Number.NaN) / value)),
    ]),
  );
}
