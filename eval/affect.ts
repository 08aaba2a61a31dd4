/**
 * `npm run eval -- affect`: how well the emotion is told from a dialogue, asked of what is served.
 *
 * Protocol (EmpatheticDialogues, arXiv 1811.00207; the 5,738 turns of its validation split): one
 * prediction per listener turn, from the turns before it; the label is the conversation's. What is
 * judged is therefore the speaker's latest turn in its history (case E05), never the listener's own.
 */
import { z } from 'zod';
import { EMOTIONS, type Emotion } from '../src/affect/emotions.ts';
import { MAX_EMOTION_BATCH, MAX_EMOTION_MESSAGES } from '../src/limits.ts';
import { type Dialogue, type Half, historyOf, readDialogues } from './dialogues.ts';
import { expectedCalibrationError, macroF1, majorityTop1, type Scored, topK } from './metrics.ts';
import { postJson, type Served, serveModel, serveWorker } from './serve.ts';

export type Message = ReturnType<typeof historyOf>[number];

/** Distributions over `EMOTIONS`, one per conversation, in the same order. */
export type Predict = (
  conversations: readonly (readonly Message[])[],
) => Promise<readonly (readonly number[])[]>;

export interface AffectExample {
  readonly messages: readonly Message[];
  /** Index into `EMOTIONS`. */
  readonly label: number;
}

export interface AffectFigures {
  /** Listener turns predicted. */
  readonly n: number;
  readonly top1: number;
  readonly top5: number;
  readonly macro_f1: number;
  /** 15 equal-width bins, top label. */
  readonly ece: number;
  /** Baseline: always the most frequent label of these turns. */
  readonly majority_top1: number;
}

export interface AffectOptions {
  /** EmpatheticDialogues-shaped jsonl. */
  readonly data: string;
  readonly target: 'edge' | 'server';
  /** First conversations only. */
  readonly limit?: number;
  /** One half of the validation split only. */
  readonly half?: Half;
  /** Asked instead of a server that `run` starts and ends itself. */
  readonly predict?: Predict;
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Starts what is asked, predicts every listener turn, scores.
 * @throws on unreadable data, on a label outside `EMOTIONS`, and when a server does not answer
 */
export async function run(options: AffectOptions): Promise<AffectFigures & { target: string }> {
  const examples = examplesOf(await readDialogues(options.data, options));
  if (options.predict !== undefined) {
    return { target: options.target, ...(await score(examples, options.predict, options)) };
  }
  const served = options.target === 'edge' ? await serveWorker(NO_MODEL) : await serveModel();
  try {
    const predict = options.target === 'edge' ? edgePredictor(served) : serverPredictor(served);
    return { target: options.target, ...(await score(examples, predict, options)) };
  } finally {
    await served.close();
  }
}

/** The edge classifies without the model server. Port 9 is `discard`: nobody listens. */
const NO_MODEL = { url: 'http://127.0.0.1:9', token: 'none' };

/** One example per listener turn that has something said before it. */
export function examplesOf(dialogues: readonly Dialogue[]): AffectExample[] {
  return dialogues.flatMap((dialogue) => {
    const label = labelOf(dialogue);
    return dialogue.turns.flatMap(({ role }, index) => {
      // A blank turn takes no part in any input; the API refuses it, so it is left out here.
      const said = historyOf(dialogue, index).filter(({ content }) => content.trim() !== '');
      const messages = said.slice(-MAX_EMOTION_MESSAGES);
      return role === 'listener' && messages.length > 0 ? [{ messages, label }] : [];
    });
  });
}

function labelOf({ conv_id, emotion }: Dialogue): number {
  const known: readonly string[] = EMOTIONS;
  const index = known.indexOf(emotion ?? '');
  if (index < 0) throw new Error(`${conv_id}: the label is not one of the 32 emotions`);
  return index;
}

/** Predicts in batches, in order, and computes the figures of the contract. */
export async function score(
  examples: readonly AffectExample[],
  predict: Predict,
  { onProgress }: Pick<AffectOptions, 'onProgress'> = {},
): Promise<AffectFigures> {
  const scored: Scored[] = [];
  for (let start = 0; start < examples.length; start += MAX_EMOTION_BATCH) {
    const batch = examples.slice(start, start + MAX_EMOTION_BATCH);
    const rows = await predict(batch.map(({ messages }) => messages));
    for (const [index, { label }] of batch.entries()) {
      const probabilities = rows[index];
      if (probabilities?.length !== EMOTIONS.length) throw new Error('not a row of 32 per turn');
      scored.push({ probabilities, label });
    }
    onProgress?.(scored.length, examples.length);
  }
  return {
    n: scored.length,
    top1: topK(scored, 1),
    top5: topK(scored, 5),
    macro_f1: macroF1(scored),
    ece: expectedCalibrationError(scored),
    majority_top1: majorityTop1(scored),
  };
}

const reading = z.object({
  emotions: z.array(z.object({ label: z.enum(EMOTIONS), probability: z.number() })),
});

/** Probabilities in the order of `EMOTIONS`, from a ranked list; a missing label counts as 0. */
export function inLabelOrder(
  emotions: readonly { readonly label: Emotion; readonly probability: number }[],
): number[] {
  const byLabel = new Map(emotions.map(({ label, probability }) => [label, probability]));
  return EMOTIONS.map((label) => byLabel.get(label) ?? 0);
}

/** Asks the Worker, a batch per request. */
export function edgePredictor(served: Served): Predict {
  const schema = z.object({ results: z.array(reading) });
  return async function askEdge(conversations) {
    const batch = conversations.map((messages) => ({ messages }));
    const answer = schema.parse(await postJson<unknown>(served, '/v1/emotions', { batch }));
    return answer.results.map(({ emotions }) => inLabelOrder(emotions));
  };
}

/** Asks the model server, a conversation per request. */
export function serverPredictor(served: Served): Predict {
  return async function askServer(conversations) {
    const rows: number[][] = [];
    for (const messages of conversations) {
      const answer = reading.parse(await postJson<unknown>(served, '/v1/affect', { messages }));
      rows.push(inLabelOrder(answer.emotions));
    }
    return rows;
  };
}
