/**
 * `eval -- reply`: the language model as it is served, over HTTP. Each figure's protocol stands in
 * docs/evaluation.md; in short: perplexity of every listener turn given the turns before it (history
 * intents `any`), end token included; one generated reply per listener turn; corpus BLEU with one
 * reference; Dist-n over the corpus; intervals over conversations.
 */
import { INTENTS } from '../model-server/src/engine/slots.ts';
import { type Half, readDialogues, readGoldIntents } from './dialogues.ts';
import { inOrder } from './in-order.ts';
import { judgeReplies } from './judge/replies.ts';
import { type Decoding, decodingOf, type Mode } from './reply/decoding.ts';
import {
  answeredOf,
  generationFigures,
  type Intervals,
  likelihoodFigures,
} from './reply/figures.ts';
import { measure, type Row } from './reply/measure.ts';
import { type Served, serveModel } from './serve.ts';
import { listenerTurns } from './turns.ts';

export interface ReplyOptions {
  readonly data: string;
  readonly limit?: number;
  /** One half of the validation split only. */
  readonly half?: Half;
  /** Replies are generated for the first so many conversations only; perplexity is of all. */
  readonly generateLimit?: number;
  /** Replies that the server draws and chooses from. */
  readonly bestOf?: number;
  readonly decoding?: Mode;
  /** EPITOME levels and VAD of the replies, beside the listeners' own. */
  readonly judge?: boolean;
  /** Asked instead of a server that `run` starts and ends itself. */
  readonly served?: Served;
  /** Told how many turns are measured, of how many; 0 when the server is ready to be asked. */
  readonly progress?: (finished: number, of: number) => void;
}

export type ReplyFigures = Readonly<
  Record<string, number | string | null | Decoding | Intervals>
> & { readonly ci95: Intervals };

/** Requests in flight: the continuous batch of the server is what is served. */
const IN_FLIGHT = 8;

/** @throws on unreadable data, and when the server does not answer */
export async function run(options: ReplyOptions): Promise<ReplyFigures> {
  const dialogues = await readDialogues(options.data, options);
  const decoding = decodingOf(options.decoding ?? 'default', options.bestOf);
  const rows = await measureAll(dialogues, decoding, options);
  const likelihood = likelihoodFigures(rows);
  const answered = answeredOf(rows);
  const generation = generationFigures(answered);
  const judged = options.judge === true ? await judgeReplies(answered) : null;
  return {
    conversations: dialogues.length,
    ...likelihood.figures,
    ...generation.figures,
    ...judged?.figures,
    decoding,
    ci95: { ...likelihood.ci95, ...generation.ci95, ...judged?.ci95 },
  };
}

async function measureAll(
  dialogues: Awaited<ReturnType<typeof readDialogues>>,
  decoding: Decoding,
  options: ReplyOptions,
): Promise<Row[]> {
  const gold = await readGoldIntents(options.data, INTENTS);
  const turns = listenerTurns(dialogues);
  const answeredIds = new Set(
    dialogues.slice(0, options.generateLimit).map(({ conv_id }) => conv_id),
  );
  const server = options.served ?? (await serveModel());
  try {
    options.progress?.(0, turns.length);
    return await inOrder(
      turns,
      (turn, seed) =>
        measure(server, turn, {
          gold: turn.intent ?? gold.get(`${turn.conv_id}#${turn.turn}`),
          decoding: answeredIds.has(turn.conv_id) ? decoding : null,
          seed,
        }),
      { lanes: IN_FLIGHT, done: (finished) => options.progress?.(finished, turns.length) },
    );
  } finally {
    if (options.served === undefined) await server.close();
  }
}
