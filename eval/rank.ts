/**
 * `eval -- rank`: response prediction as it is served (`POST /v1/rank`). Every listener turn's context
 * with the replies of its block of 100: P@1,100 of EmpatheticDialogues (arXiv 1811.00207), with blocks
 * drawn by a shuffle of seed 0 and, as in the paper's script, in file order. Pairwise: the true reply
 * against one other of the shuffled block. The parts of the service's score stand beside it, each as
 * an order of its own. Intervals over conversations. The protocol is written out in docs/evaluation.md.
 */
import { z } from 'zod';
import { type Half, readDialogues } from './dialogues.ts';
import { inOrder } from './in-order.ts';
import { type Question, questionsOf } from './rank-blocks.ts';
import {
  judgeMassFigures,
  type ORDERS,
  type OrderFigures,
  orderFigures,
  type Ranked,
} from './rank-figures.ts';
import { postJson, type Served, serveModel } from './serve.ts';
import { listenerTurns } from './turns.ts';

export interface RankOptions {
  readonly data: string;
  readonly limit?: number;
  readonly half?: Half;
  /** Blocks of 100; a block costs 10,000 scorings, so 5 unless said otherwise. */
  readonly blocks?: number;
  /** Contexts asked of each block; all unless said otherwise. */
  readonly contexts?: number;
  /** Asked instead of a server that `run` starts and ends itself. */
  readonly served?: Served;
  /** Told how many contexts are ranked, of how many; 0 when the server is ready to be asked. */
  readonly progress?: (finished: number, of: number) => void;
}

/** Figures of one way to make blocks. */
interface Arrangement {
  readonly n: number;
  readonly conversations: number;
  readonly by: Readonly<Record<(typeof ORDERS)[number], OrderFigures>>;
}

const DEFAULT_BLOCKS = 5;

/** Two prefixes are evaluated at a time; more would only wait, and an answer has a time limit. */
const IN_FLIGHT = 2;

/** A hundred candidates without cached priors, on a busy machine. */
const ANSWER_MS = 600_000;

const answerSchema = z.object({
  results: z.array(
    z.object({
      index: z.int().nonnegative(),
      score: z.number(),
      pmi: z.number().nullish(),
      logprob: z.number().nullish(),
      judge: z.number().nullish(),
      judge_mass: z.number().nullish(),
      tokens: z.number().nullish(),
    }),
  ),
});

/** What the server says of one candidate. */
export type CandidateAnswer = z.output<typeof answerSchema>['results'][number];

/** @throws on unreadable data, and when the server does not answer or leaves out a candidate */
export async function run(options: RankOptions) {
  const turns = listenerTurns(await readDialogues(options.data, options));
  const blocks = options.blocks ?? DEFAULT_BLOCKS;
  const some = {
    blocks,
    ...(options.contexts === undefined ? {} : { contexts: options.contexts }),
  };
  const mixed = questionsOf(turns, { ...some, shuffle: true });
  const inFileOrder = questionsOf(turns, { ...some, shuffle: false });
  const ranked = await rankAll([...mixed, ...inFileOrder], options);
  const shuffled = arrangement(ranked.slice(0, mixed.length));
  const unshuffled = arrangement(ranked.slice(mixed.length));
  const { score, judge } = shuffled.by;
  return {
    n: shuffled.n,
    conversations: shuffled.conversations,
    pairwise_accuracy: score.pairwise,
    p_at_1_100: score.p_at_1,
    p_at_1_100_unshuffled: unshuffled.by.score.p_at_1,
    p_at_3: score.p_at_3,
    p_at_10: score.p_at_10,
    pairwise_judge: judge.pairwise,
    n_judge: judge.n,
    ...judgeMassFigures(ranked.slice(0, mixed.length)),
    blocks: mixed.length / Math.max(contextsOf(mixed, options), 1),
    candidates: mixed[0]?.candidates.length ?? 0,
    contexts_per_block: contextsOf(mixed, options),
    ci95: {
      pairwise_accuracy: score.ci95.pairwise,
      p_at_1_100: score.ci95.p_at_1,
      p_at_1_100_unshuffled: unshuffled.by.score.ci95.p_at_1,
      p_at_3: score.ci95.p_at_3,
      p_at_10: score.ci95.p_at_10,
      pairwise_judge: judge.ci95.pairwise,
    },
    parts: shuffled.by,
    unshuffled: { n: unshuffled.n, parts: unshuffled.by },
  };
}

function contextsOf(questions: readonly Question[], { contexts }: RankOptions): number {
  const size = questions[0]?.candidates.length ?? 0;
  return Math.min(contexts ?? size, size);
}

function arrangement(ranked: readonly Ranked[]): Arrangement {
  return {
    n: ranked.length,
    conversations: new Set(ranked.map(({ conv_id }) => conv_id)).size,
    by: {
      score: orderFigures(ranked, 'score'),
      pmi: orderFigures(ranked, 'pmi'),
      judge: orderFigures(ranked, 'judge'),
      logprob: orderFigures(ranked, 'logprob'),
    },
  };
}

async function rankAll(questions: readonly Question[], options: RankOptions): Promise<Ranked[]> {
  const server = options.served ?? (await serveModel());
  try {
    options.progress?.(0, questions.length);
    return await inOrder(questions, (question) => rank(server, question), {
      lanes: IN_FLIGHT,
      done: (finished) => options.progress?.(finished, questions.length),
    });
  } finally {
    if (options.served === undefined) await server.close();
  }
}

async function rank(server: Served, question: Question): Promise<Ranked> {
  const { conv_id, truth, distractor } = question;
  const answers = await askRanking(server, question);
  const of = (order: (typeof ORDERS)[number]): number[] | null => {
    const values = answers.flatMap((answer) => answer[order] ?? []);
    return values.length === answers.length ? values : null;
  };
  const scores = { score: of('score'), pmi: of('pmi'), judge: of('judge'), logprob: of('logprob') };
  const judgeMass = answers.flatMap(({ judge_mass }) => judge_mass ?? []);
  return { conv_id, truth, distractor, scores, judgeMass };
}

/**
 * Rank the candidates of a question.
 * @returns one answer per candidate, in the order of the candidates
 * @throws when the server does not answer or leaves out a candidate
 */
export async function askRanking(
  server: Served,
  { messages, candidates }: Question,
): Promise<readonly CandidateAnswer[]> {
  const answer = await postJson<unknown>(
    server,
    '/v1/rank',
    { messages, candidates },
    { waitMs: ANSWER_MS },
  );
  const byIndex = new Map(answerSchema.parse(answer).results.map((one) => [one.index, one]));
  return candidates.map((_, index) => {
    const found = byIndex.get(index);
    if (found === undefined) throw new Error('/v1/rank left out a candidate');
    return found;
  });
}
