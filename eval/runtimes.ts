/**
 * `eval -- runtimes`: does the served graph say the same in workerd as in Node (W07)? The very
 * classifier of `src/affect`, with the same files, in both; history protocol of `eval -- affect`.
 * How much int8 costs against fp32 is the export's to measure (src/affect/model/figures.json).
 */
import { askEdge, inLabelOrder, type Message } from './ask.ts';
import { type Half, readDialogues } from './dialogues.ts';
import { type AffectExample, examplesOf } from './examples.ts';
import { argmax, topK } from './metrics.ts';
import { nodeClassifier } from './node-classifier.ts';
import { NO_MODEL, serveWorker } from './serve.ts';

export interface RuntimeFigures {
  readonly n: number;
  /** Share of turns with the same first label. */
  readonly same_top1: number;
  readonly top1_workerd: number;
  readonly top1_node: number;
  /** Node minus workerd, in points (hundredths) of top-1. */
  readonly delta_points: number;
  /** Largest difference of one probability of one turn. */
  readonly largest_difference: number;
}

type Rows = readonly (readonly number[])[];

/** Pure: from both sides' distributions, in the order of the examples. */
export function runtimeFigures(
  examples: readonly Pick<AffectExample, 'label'>[],
  { workerd, node }: { readonly workerd: Rows; readonly node: Rows },
): RuntimeFigures {
  const top1 = (rows: Rows) =>
    topK(
      examples.map(({ label }, index) => ({ label, probabilities: rows[index] ?? [] })),
      1,
    );
  const same = workerd.filter((row, index) => argmax(row) === argmax(node[index] ?? [])).length;
  return {
    n: examples.length,
    same_top1: examples.length === 0 ? 0 : same / examples.length,
    top1_workerd: top1(workerd),
    top1_node: top1(node),
    delta_points: 100 * (top1(node) - top1(workerd)),
    largest_difference: workerd.reduce(
      (most, row, index) =>
        row.reduce(
          (worst, value, label) => Math.max(worst, Math.abs(value - (node[index]?.[label] ?? 0))),
          most,
        ),
      0,
    ),
  };
}

/**
 * @param options.data EmpatheticDialogues-shaped jsonl
 * @param options.limit first conversations only
 * @throws on unreadable data, and when one of the two does not answer
 */
export async function run(options: {
  readonly data: string;
  readonly limit?: number;
  readonly half?: Half;
}): Promise<RuntimeFigures> {
  const examples = examplesOf(await readDialogues(options.data, options));
  const conversations = examples.map(({ messages }) => messages);
  const node = await inNode(conversations);
  const worker = await serveWorker(NO_MODEL);
  try {
    const readings = await askEdge(worker)(conversations);
    const workerd = readings.map(({ probabilities }) => probabilities);
    return runtimeFigures(examples, { workerd, node });
  } finally {
    await worker.close();
  }
}

/** Distributions by the same classifier in this process. */
async function inNode(conversations: readonly (readonly Message[])[]): Promise<number[][]> {
  const classifier = await nodeClassifier();
  const results = await classifier.classifyBatch(
    conversations.map((messages) => messages.map(({ role, content }) => ({ role, text: content }))),
  );
  return results.map((result) => {
    if (!result.ok) throw new Error(`in Node: ${result.message}`);
    return inLabelOrder(result.affect.emotions);
  });
}
