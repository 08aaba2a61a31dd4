/**
 * `npm run eval -- affect`: how well the emotion is told from a dialogue, asked of what is served.
 *
 * Protocols (EmpatheticDialogues, arXiv 1811.00207). *History*: one prediction per listener turn,
 * from the turns before it; the label is the conversation's. What is judged is therefore the
 * speaker's latest turn in its history (case E05), never the listener's own. *Situation*: one
 * prediction per conversation, from the text that it was started from. Beside them: the majority and
 * a bag of words (bag-of-words.ts) that is trained on one text per conversation of the speaker's
 * turns and one of its situation.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EMOTIONS } from '../src/affect/emotions.ts';
import {
  type AffectFigures,
  type Answered,
  type Answers,
  affectFigures,
  scoredOf,
} from './affect-figures.ts';
import { askEdge, askServer, type Read } from './ask.ts';
import { trainBagOfWords } from './bag-of-words.ts';
import { fromDialogues } from './causes/reccon.ts';
import { type CauseRecalls, causesFigures, flatRecalls, readCases } from './causes.ts';
import { type Dialogue, type Half, readDialogues } from './dialogues.ts';
import { type AffectExample, examplesOf, saidIn, situationsOf, trainingTexts } from './examples.ts';
import { classFigures } from './metrics.ts';
import { NO_MODEL, serveModel, serveWorker } from './serve.ts';

export interface AffectOptions {
  /** EmpatheticDialogues-shaped jsonl. */
  readonly data: string;
  readonly target: 'edge' | 'server';
  /** First conversations only. */
  readonly limit?: number;
  /** One half of the validation split only. */
  readonly half?: Half;
  /** What the bag of words learns from; `train.jsonl` beside `data` where it is. */
  readonly train?: string;
  /** Asked instead of a server that `run` starts and ends itself. */
  readonly read?: Read;
}

export interface AffectReport {
  readonly figures: AffectFigures & Partial<CauseRecalls> & { readonly target: string };
  /** Of each label; not part of the figures' one line. */
  readonly labels: readonly LabelRow[];
  /** What the pictures are drawn from. */
  readonly answers: Answers;
}

export interface LabelRow {
  readonly label: string;
  readonly n: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Starts what is asked, reads every listener turn and every situation, scores.
 * @throws on unreadable data, on a label outside `EMOTIONS`, and when a server does not answer
 */
export async function run(options: AffectOptions): Promise<AffectReport> {
  const dialogues = await readDialogues(options.data, options);
  const asked = { history: examplesOf(dialogues), situations: situationsOf(dialogues) };
  const baseline = await baselineOf(options, { dialogues, ...asked });
  return withReader(options, async (read) => {
    const history = await answer(asked.history, read);
    const situations = await answer(asked.situations, read);
    const answers = { history, situations, baseline };
    const causes = options.target === 'edge' ? await causeRecalls(dialogues, read) : {};
    return {
      figures: { target: options.target, ...affectFigures(answers), ...causes },
      labels: labelRows(history),
      answers,
    };
  });
}

async function withReader<T>(
  { target, read }: AffectOptions,
  use: (read: Read) => Promise<T>,
): Promise<T> {
  if (read !== undefined) return use(read);
  const served = target === 'edge' ? await serveWorker(NO_MODEL) : await serveModel();
  try {
    return await use(target === 'edge' ? askEdge(served) : askServer(served));
  } finally {
    await served.close();
  }
}

async function answer(examples: readonly AffectExample[], read: Read): Promise<Answered[]> {
  const readings = await read(examples.map(({ messages }) => messages));
  return examples.map((example, index) => {
    const reading = readings[index];
    if (reading?.probabilities.length !== EMOTIONS.length) {
      throw new Error('not a row of 32 for each example');
    }
    return { ...example, reading };
  });
}

/** Recall of cause words, where the data has causes in speaker turns; the protocol of causes.ts. */
async function causeRecalls(
  dialogues: readonly Dialogue[],
  read: Read,
): Promise<Partial<CauseRecalls>> {
  const data = fromDialogues(dialogues);
  if (data.cases.length === 0) return {};
  return flatRecalls(causesFigures(data, await readCases(data, read)));
}

/** What is asked, and the conversations that it is from. */
interface Asked {
  readonly dialogues: readonly Dialogue[];
  readonly history: readonly AffectExample[];
  readonly situations: readonly AffectExample[];
}

/** The bag of words on the same examples, or `null` where there is nothing to learn from. */
async function baselineOf(
  { data, train }: AffectOptions,
  asked: Asked,
): Promise<Answers['baseline']> {
  const beside = join(dirname(data), 'train.jsonl');
  const file = train ?? (existsSync(beside) ? beside : undefined);
  if (file === undefined) return null;
  // What is asked must not have been learned, whichever file it stands in.
  const ids = new Set(asked.dialogues.map(({ conv_id }) => conv_id));
  const learned = trainingTexts(
    (await readDialogues(file)).filter(({ conv_id }) => !ids.has(conv_id)),
  );
  if (learned.length === 0) return null;
  const predict = trainBagOfWords(learned, EMOTIONS.length);
  return {
    history: asked.history.map((example) => predict(saidIn(example))),
    situations: asked.situations.map((example) => predict(saidIn(example))),
  };
}

function labelRows(history: readonly Answered[]): LabelRow[] {
  return classFigures(history.map(scoredOf)).map(({ of, n, precision, recall, f1 }) => ({
    label: EMOTIONS[of] ?? '',
    n,
    precision,
    recall,
    f1,
  }));
}
