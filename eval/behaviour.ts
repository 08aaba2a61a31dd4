/**
 * `eval -- behaviour`: does what is served behave as people expect, capability by capability?
 *
 * Protocol (CheckList; Ribeiro et al. 2020, arXiv 2005.04118): items that each state one expectation
 * of `POST /v1/emotions` (data/behaviour.SOURCE.txt), asked of the Worker. An item is met or not; the
 * pass rate of a capability is the share of its items that are. A choice may look at the *tune* half
 * (by a hash of the id); the published rates are those of *report*. Beside them the rates of readers
 * that look at nothing (behaviour/trivial.ts): what is passed by chance.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { askBatches } from './ask.ts';
import { CAPABILITIES, type Item, inputsOf, itemsOfHalf, parseItems } from './behaviour/items.ts';
import { judge } from './behaviour/judge.ts';
import { type Reading, readingSchema } from './behaviour/reading.ts';
import { TRIVIAL_READERS } from './behaviour/trivial.ts';
import type { Half } from './dialogues.ts';
import { NO_MODEL, type Served, serveWorker } from './serve.ts';

export interface PassRate {
  readonly n: number;
  readonly passed: number;
  /** passed / n; null without items. */
  readonly rate: number | null;
}

/** Rates of the trivial readers on the same items; null without items. */
export type TrivialRates = Readonly<Record<keyof typeof TRIVIAL_READERS, number | null>>;

export interface CapabilityRate extends PassRate, TrivialRates {
  /** Items for which at least one reading abstained, rightly or not. */
  readonly abstained: number;
}

export interface BehaviourFigures extends PassRate, TrivialRates {
  /** Capabilities without items are left out. */
  readonly by_capability: Readonly<Record<string, CapabilityRate>>;
  /** Ids of the items that are not met. */
  readonly failures: readonly string[];
}

export interface BehaviourOptions {
  /** jsonl of items; the committed set unless said otherwise. */
  readonly data?: string;
  /** First items only. */
  readonly limit?: number;
  readonly half?: Half;
}

const COMMITTED = fileURLToPath(new URL('./data/behaviour.jsonl', import.meta.url));

/**
 * Starts the Worker, reads every input of the set, judges.
 * @throws on a file that holds something else than items, and when the Worker does not answer
 */
export async function run(options: BehaviourOptions = {}): Promise<BehaviourFigures> {
  const all = parseItems(await readFile(options.data ?? COMMITTED, 'utf8'));
  const items = itemsOfHalf(all, options.half).slice(0, options.limit);
  const worker = await serveWorker(NO_MODEL);
  try {
    return figures(items, await readAll(items, worker));
  } finally {
    await worker.close();
  }
}

/** Pure: from items and the readings of their inputs. */
export function figures(
  items: readonly Item[],
  readings: readonly (readonly Reading[])[],
): BehaviourFigures {
  const judged = items.map((item, index) => {
    const mine = readings[index] ?? [];
    const abstained = mine.some((reading) => reading.abstained);
    return { item, abstained, passed: judge(item, mine) };
  });
  const by_capability: Record<string, CapabilityRate> = {};
  for (const capability of CAPABILITIES) {
    const rows = judged.filter(({ item }) => item.capability === capability);
    if (rows.length === 0) continue;
    const abstained = rows.filter((row) => row.abstained).length;
    by_capability[capability] = { ...passRate(rows), ...trivialRates(rows), abstained };
  }
  return {
    ...passRate(judged),
    ...trivialRates(judged),
    by_capability,
    failures: judged.filter(({ passed }) => !passed).map(({ item }) => item.id),
  };
}

/** The table for people: one row per capability, the whole set last. Rates in percent. */
export function tableOf({ by_capability, ...total }: BehaviourFigures): Record<string, object> {
  const row = ({ n, passed, rate, always_abstains, always_sad }: PassRate & TrivialRates) => ({
    items: n,
    passed,
    'rate %': percent(rate),
    'always abstains %': percent(always_abstains),
    'always sad %': percent(always_sad),
  });
  const rows = Object.entries(by_capability).map(([name, rate]): [string, object] => [
    name,
    { ...row(rate), abstained: rate.abstained },
  ]);
  return Object.fromEntries([...rows, ['all', row(total)]]);
}

function percent(rate: number | null): number | null {
  return rate === null ? null : Math.round(1000 * rate) / 10;
}

function trivialRates(rows: readonly { readonly item: Item }[]): TrivialRates {
  const rateOf = (reading: Reading) =>
    passRate(
      rows.map(({ item }) => ({
        passed: judge(
          item,
          inputsOf(item).map(() => reading),
        ),
      })),
    ).rate;
  const { always_abstains, always_sad } = TRIVIAL_READERS;
  return { always_abstains: rateOf(always_abstains), always_sad: rateOf(always_sad) };
}

function passRate(rows: readonly { readonly passed: boolean }[]): PassRate {
  const passed = rows.filter((row) => row.passed).length;
  return { n: rows.length, passed, rate: rows.length === 0 ? null : passed / rows.length };
}

/** Each different conversation is read once; the readings of each item, in its order. */
async function readAll(items: readonly Item[], worker: Served): Promise<Reading[][]> {
  const conversations = new Map(
    items.flatMap(inputsOf).map((messages) => [JSON.stringify(messages), messages]),
  );
  const results = await askBatches(worker, [...conversations.values()], readingSchema);
  const read = new Map(
    [...conversations.keys()].flatMap((key, index): [string, Reading][] => {
      const reading = results[index];
      return reading === undefined ? [] : [[key, reading]];
    }),
  );
  return items.map((item) =>
    inputsOf(item).flatMap((messages) => {
      const reading = read.get(JSON.stringify(messages));
      return reading === undefined ? [] : [reading];
    }),
  );
}
