/**
 * `npx tsx eval/rank-weights.ts --data FILE [--half tune] [--blocks 3] [--contexts 20]`: which weights of
 * PMI, PMI per token and judge rank best (`RANK_WEIGHTS` of model-server/src/select/constants.ts). Every
 * question is asked once; the weights are tried on the answers. To be chosen on the tune half.
 */
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readDialogues } from './dialogues.ts';
import { inOrder } from './in-order.ts';
import { askRanking, type CandidateAnswer } from './rank.ts';
import { type Question, questionsOf } from './rank-blocks.ts';
import { within } from './rank-figures.ts';
import { serveModel } from './serve.ts';
import { listenerTurns } from './turns.ts';

/** Weights beside PMI's, which is 1. */
export interface Weights {
  readonly perToken: number;
  readonly judge: number;
}

/** A question and what the server said of each candidate. */
export interface Answered {
  readonly question: Pick<Question, 'truth' | 'distractor'>;
  readonly answers: readonly CandidateAnswer[];
}

export interface Row extends Weights {
  readonly p_at_1: number;
  readonly pairwise: number;
}

const PER_TOKEN = [0, 2, 5, 10, 20];
const JUDGE = [0, 0.5, 1, 1.5, 2, 3, 5];

/** Figures of one choice of weights. */
export function rowOf(answered: readonly Answered[], weights: Weights): Row {
  let first = 0;
  let pairs = 0;
  for (const { question, answers } of answered) {
    const values = answers.map(
      ({ pmi, tokens, judge }) =>
        (pmi ?? 0) * (1 + weights.perToken / Math.max(tokens ?? 1, 1)) +
        weights.judge * (judge ?? 0),
    );
    const pair = [values[question.truth] ?? Number.NaN, values[question.distractor] ?? Number.NaN];
    first += within(values, question.truth, 1);
    pairs += within(pair, 0, 1);
  }
  const n = Math.max(answered.length, 1);
  return { ...weights, p_at_1: first / n, pairwise: pairs / n };
}

/** Every combination, best first. */
export function grid(answered: readonly Answered[]): Row[] {
  return PER_TOKEN.flatMap((perToken) =>
    JUDGE.map((judge) => rowOf(answered, { perToken, judge })),
  ).sort((a, b) => b.p_at_1 - a.p_at_1 || b.pairwise - a.pairwise);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      half: { type: 'string', default: 'tune' },
      blocks: { type: 'string', default: '3' },
      contexts: { type: 'string', default: '20' },
    },
  });
  const { data, half } = values;
  if (data === undefined) throw new Error('--data FILE is needed');
  if (half !== 'tune' && half !== 'report') throw new Error('--half is tune or report');
  const turns = listenerTurns(await readDialogues(data, { half }));
  const sizes = { blocks: Number(values.blocks), contexts: Number(values.contexts) };
  const questions = questionsOf(turns, { ...sizes, shuffle: true });
  const server = await serveModel();
  try {
    const answered = await inOrder(
      questions,
      async (question): Promise<Answered> => ({
        question,
        answers: await askRanking(server, question),
      }),
      { lanes: 2 },
    );
    console.table(grid(answered));
    console.log(JSON.stringify({ n: answered.length, best: grid(answered)[0] }));
  } finally {
    await server.close();
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main();
