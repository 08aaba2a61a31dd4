/**
 * `eval -- causes`: are the words found that an emotion comes from? Asked of the served Worker.
 *
 * Protocol: causes/reccon.ts says which utterances (RECCON's same-utterance pairs), causes/recall.ts how they
 * are scored. Guesses are the reading's `causes` in the latest message, in its order. Utterances
 * whose causes hold no content word are counted and left out. Beside it: tf-idf, a random order
 * (exact expectation) and the first words of the utterance.
 */
import { readFile } from 'node:fs/promises';
import { askEdge, type Read, type Reading } from './ask.ts';
import { firstWords, tfIdf } from './causes/baselines.ts';
import { contentWords } from './causes/content-words.ts';
import {
  type AtRanks,
  type CauseQuestion,
  causeFigures,
  oracleAt,
  questionOf,
  type Ranking,
  type RecallFigures,
  randomAt,
  rankingOf,
  recallAt,
} from './causes/recall.ts';
import { type CauseCase, type CauseData, fromDialogues, fromReccon } from './causes/reccon.ts';
import { type Half, readDialogues } from './dialogues.ts';
import { mean } from './metrics.ts';
import { NO_MODEL, serveWorker } from './serve.ts';

/** Recall of everyone on the same questions. */
export interface Compared {
  /** Utterances asked. */
  readonly n: number;
  readonly oracle_recall: AtRanks;
  /** Asked with the conversation up to the utterance. */
  readonly edge: RecallFigures;
  /** Asked with the utterance alone. */
  readonly edge_alone: RecallFigures;
  readonly tf_idf: RecallFigures;
  readonly random: RecallFigures;
  readonly first_words: RecallFigures;
}

export interface CauseFigures extends Compared {
  /** Gold spans in them. */
  readonly spans: number;
  /** Utterances left out because their causes hold no content word. */
  readonly without_content_words: number;
  readonly mean_candidates: number;
  readonly mean_wanted: number;
  /** Utterances with fewer than five words of the latest message in the answer although it has more. */
  readonly short_answers: number;
  /** Only utterances with a content word outside the causes: in the others every order is perfect. */
  readonly partial: Compared;
}

/** The figures' names in `eval -- affect`, for data with causes. */
export interface CauseRecalls {
  readonly cause_n: number;
  readonly cause_recall1: number;
  readonly cause_recall3: number;
  readonly cause_recall5: number;
  readonly cause_oracle_recall1: number;
  readonly cause_oracle_recall3: number;
  readonly cause_oracle_recall5: number;
}

export function flatRecalls({ n, edge, oracle_recall }: CauseFigures): CauseRecalls {
  return {
    cause_n: n,
    cause_recall1: edge.recall.at1,
    cause_recall3: edge.recall.at3,
    cause_recall5: edge.recall.at5,
    cause_oracle_recall1: oracle_recall.at1,
    cause_oracle_recall3: oracle_recall.at3,
    cause_oracle_recall5: oracle_recall.at5,
  };
}

/** A case with its content words; `null` where no wanted word is left. */
export function questionAbout({ messages, gold }: CauseCase): CauseQuestion | null {
  const question = questionOf(contentWords(textOf(messages)), gold);
  return question.wanted.size === 0 ? null : question;
}

/** The reading's ranking of the words of the latest message. */
export function rankedIn(messages: CauseCase['messages'], reading: Reading): Ranking {
  const guesses = reading.causes.filter(({ message }) => message === messages.length - 1);
  return rankingOf(guesses, contentWords(textOf(messages)));
}

function textOf(messages: CauseCase['messages']): string {
  return messages.at(-1)?.content ?? '';
}

interface Asked {
  readonly question: CauseQuestion;
  readonly spans: number;
  readonly edge: Ranking;
  readonly edgeAlone: Ranking;
  readonly tfIdf: Ranking;
}

/**
 * Pure: from cases and what was read in them.
 * @param readings one per case, of its conversation and of its last message alone
 */
export function causesFigures(
  data: CauseData,
  readings: { readonly inContext: readonly Reading[]; readonly alone: readonly Reading[] },
): CauseFigures {
  const byTfIdf = tfIdf(data.said);
  const asked = data.cases.flatMap((item, index): Asked[] => {
    const question = questionAbout(item);
    const [inContext, alone] = [readings.inContext[index], readings.alone[index]];
    if (question === null || inContext === undefined || alone === undefined) return [];
    const utterance = { dialogue: item.dialogue, text: textOf(item.messages) };
    return [
      {
        question,
        spans: item.gold.length,
        edge: rankedIn(item.messages, inContext),
        edgeAlone: rankedIn(item.messages.slice(-1), alone),
        tfIdf: byTfIdf(utterance, question.words),
      },
    ];
  });
  return {
    ...compare(asked),
    spans: asked.reduce((sum, { spans }) => sum + spans, 0),
    without_content_words: data.cases.length - asked.length,
    mean_candidates: mean(asked.map(({ question }) => question.words.length)),
    mean_wanted: mean(asked.map(({ question }) => question.wanted.size)),
    short_answers: asked.filter(
      ({ question, edge }) => edge.length < Math.min(5, question.words.length),
    ).length,
    partial: compare(asked.filter(({ question: { words, wanted } }) => wanted.size < words.length)),
  };
}

export interface CauseOptions {
  readonly data: string;
  readonly limit?: number;
  readonly half?: Half;
}

function compare(asked: readonly Asked[]): Compared {
  const questions = asked.map(({ question }) => question);
  const ranked = (rankingOf: (item: Asked) => Ranking) => {
    const rankings = asked.map(rankingOf);
    return causeFigures(questions, (k, question, i) => recallAt(k, rankings[i] ?? [], question));
  };
  return {
    n: questions.length,
    oracle_recall: causeFigures(questions, oracleAt).recall,
    edge: ranked(({ edge }) => edge),
    edge_alone: ranked(({ edgeAlone }) => edgeAlone),
    tf_idf: ranked(({ tfIdf }) => tfIdf),
    random: causeFigures(questions, randomAt),
    first_words: ranked(({ question }) => firstWords(question.words)),
  };
}

/**
 * @param options.data RECCON's json, or EmpatheticDialogues-shaped jsonl with `causes`
 * @param options.limit first dialogues only
 * @param options.half one half of the jsonl's conversations; RECCON's files have none
 * @throws on unreadable data, on a half of RECCON's json, and when the Worker does not answer
 */
export async function run(options: CauseOptions): Promise<CauseFigures> {
  const data = await readCauses(options);
  const worker = await serveWorker(NO_MODEL);
  try {
    return causesFigures(data, await readCases(data, askEdge(worker)));
  } finally {
    await worker.close();
  }
}

/** Both ways of asking. */
export async function readCases(
  { cases }: CauseData,
  read: Read,
): Promise<{ inContext: Reading[]; alone: Reading[] }> {
  return {
    inContext: await read(cases.map(({ messages }) => messages)),
    alone: await read(cases.map(({ messages }) => messages.slice(-1))),
  };
}

async function readCauses(options: CauseOptions): Promise<CauseData> {
  if (options.data.endsWith('.jsonl'))
    return fromDialogues(await readDialogues(options.data, options));
  if (options.half !== undefined) throw new Error("RECCON's files are not split in halves");
  return fromReccon(JSON.parse(await readFile(options.data, 'utf8')), options.limit);
}
