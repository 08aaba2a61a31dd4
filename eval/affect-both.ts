/**
 * `eval -- affect --target both`: is an ensemble of edge and server better than either?
 *
 * Protocol: history of `eval -- affect`. The ensemble is the log-linear mixture p ∝ edge^w · server^(1−w),
 * scaled to sum to 1. Its one weight is the one of a grid with the greatest likelihood of the labels of
 * the *tune* half; all figures are those of the *report* half, on the same turns for all three.
 */
import { EMOTIONS } from '../src/affect/emotions.ts';
import { askEdge, askServer, type Read } from './ask.ts';
import { clustersOf, type Interval, interval95, resampled95 } from './bootstrap.ts';
import { type Half, halfOf, readDialogues } from './dialogues.ts';
import { type AffectExample, examplesOf } from './examples.ts';
import { argmax, expectedCalibrationError, macroF1, mean, type Scored, topK } from './metrics.ts';
import { NO_MODEL, serveModel, serveWorker } from './serve.ts';

export interface BothOptions {
  readonly data: string;
  readonly limit?: number;
  /** Refused: both halves are needed. */
  readonly half?: Half;
  /** Asked instead of servers that `run` starts and ends itself. */
  readonly read?: { readonly edge: Read; readonly server: Read };
}

/** A turn with what both read. */
export interface TwoReadings {
  readonly conv_id: string;
  readonly label: number;
  /** Probabilities [32] each. */
  readonly edge: readonly number[];
  readonly server: readonly number[];
}

interface OneFigures {
  readonly top1: number;
  readonly top5: number;
  readonly macro_f1: number;
  readonly ece: number;
  /** Mean negative log-likelihood of the label, nats. */
  readonly nll: number;
  readonly top1_ci95: Interval | null;
  readonly top5_ci95: Interval | null;
  readonly macro_f1_ci95: Interval | null;
  readonly ece_ci95: Interval | null;
  readonly nll_ci95: Interval | null;
}

export interface BothFigures {
  readonly n_tune: number;
  readonly n: number;
  /** Of the edge, chosen on the tune half; `null` without tuning turns, and then nothing is mixed. */
  readonly edge_weight: number | null;
  readonly edge: OneFigures;
  readonly server: OneFigures;
  readonly ensemble: OneFigures | null;
  /** Ensemble minus each, in top-1 on the same turns. */
  readonly gain_ci95: { readonly edge: Interval | null; readonly server: Interval | null };
}

const GRID_STEPS = 20;
/** A probability that was rounded to 0 is not impossible. */
const LEAST = 1e-6;

/** @throws on `half`, on unreadable data, and when a server does not answer */
export async function run(options: BothOptions): Promise<BothFigures> {
  if (options.half !== undefined) throw new Error('--target both needs both halves');
  const examples = examplesOf(await readDialogues(options.data, options));
  const edge = await readings(examples, options.read?.edge ?? readEdge);
  const server = await readings(examples, options.read?.server ?? readServer);
  return bothFigures(
    examples.map(({ conv_id, label }, index) => ({
      conv_id,
      label,
      edge: edge[index] ?? [],
      server: server[index] ?? [],
    })),
  );
}

/** Pure: the weight from the tune half, the figures from the report half. */
export function bothFigures(turns: readonly TwoReadings[]): BothFigures {
  const tune = turns.filter(({ conv_id }) => halfOf(conv_id) === 'tune');
  const report = turns.filter(({ conv_id }) => halfOf(conv_id) === 'report');
  const weight = tune.length === 0 ? null : bestWeight(tune);
  const mixed = weight === null ? null : report.map((turn) => mixture(turn, weight));
  const hits = (rows: readonly (readonly number[])[]) =>
    report.map(({ label }, index) => (argmax(rows[index] ?? []) === label ? 1 : 0));
  const edgeRows = report.map(({ edge }) => edge);
  const serverRows = report.map(({ server }) => server);
  const gain = (rows: readonly (readonly number[])[]) => {
    if (mixed === null) return null;
    const [ours, theirs] = [hits(mixed), hits(rows)];
    return interval95(
      report.map(({ conv_id }, index) => ({
        cluster: conv_id,
        hit: (ours[index] ?? 0) - (theirs[index] ?? 0),
      })),
    );
  };
  return {
    n_tune: tune.length,
    n: report.length,
    edge_weight: weight,
    edge: oneFigures(report, edgeRows),
    server: oneFigures(report, serverRows),
    ensemble: mixed === null ? null : oneFigures(report, mixed),
    gain_ci95: { edge: gain(edgeRows), server: gain(serverRows) },
  };
}

/** Edge^weight · server^(1 − weight), scaled to sum to 1. */
export function mixture(
  { edge, server }: Pick<TwoReadings, 'edge' | 'server'>,
  weight: number,
): number[] {
  const log = (value: number | undefined) => Math.log(Math.max(value ?? 0, LEAST));
  const powers = EMOTIONS.map((_, label) =>
    Math.exp(weight * log(edge[label]) + (1 - weight) * log(server[label])),
  );
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

function bestWeight(turns: readonly TwoReadings[]): number {
  const weights = Array.from({ length: GRID_STEPS + 1 }, (_, step) => step / GRID_STEPS);
  const losses = weights.map((weight) => {
    const mixed = turns.map((turn) => ({
      label: turn.label,
      probabilities: mixture(turn, weight),
    }));
    return -likelihoodLoss(mixed);
  });
  return weights[argmax(losses)] ?? 0;
}

function likelihoodLoss(examples: readonly Scored[]): number {
  return mean(
    examples.map(
      ({ label, probabilities }) => -Math.log(Math.max(probabilities[label] ?? 0, LEAST)),
    ),
  );
}

function oneFigures(
  turns: readonly TwoReadings[],
  rows: readonly (readonly number[])[],
): OneFigures {
  const scored = turns.map(({ conv_id, label }, index) => ({
    conv_id,
    label,
    probabilities: rows[index] ?? [],
  }));
  // Means are resampled as sums; the other two are made anew of each resample's turns.
  const ofMean = (value: (one: Scored) => number) =>
    interval95(scored.map((one) => ({ cluster: one.conv_id, hit: value(one) })));
  const conversations = clustersOf(scored, ({ conv_id }) => conv_id);
  return {
    top1: topK(scored, 1),
    top5: topK(scored, 5),
    macro_f1: macroF1(scored),
    ece: expectedCalibrationError(scored),
    nll: likelihoodLoss(scored),
    top1_ci95: ofMean((one) => topK([one], 1)),
    top5_ci95: ofMean((one) => topK([one], 5)),
    macro_f1_ci95: resampled95(conversations, (drawn) => macroF1(drawn.flat())),
    ece_ci95: resampled95(conversations, (drawn) => expectedCalibrationError(drawn.flat())),
    nll_ci95: ofMean((one) => likelihoodLoss([one])),
  };
}

async function readings(examples: readonly AffectExample[], read: Read): Promise<number[][]> {
  const found = await read(examples.map(({ messages }) => messages));
  if (found.length !== examples.length) throw new Error('not one reading a turn');
  return found.map(({ probabilities }) => [...probabilities]);
}

/** One server at a time: together they would share the machine's memory. */
async function readEdge(conversations: Parameters<Read>[0]): ReturnType<Read> {
  const worker = await serveWorker(NO_MODEL);
  try {
    return await askEdge(worker)(conversations);
  } finally {
    await worker.close();
  }
}

async function readServer(conversations: Parameters<Read>[0]): ReturnType<Read> {
  const server = await serveModel();
  try {
    return await askServer(server)(conversations);
  } finally {
    await server.close();
  }
}
