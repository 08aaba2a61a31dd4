/**
 * `eval -- general`: do general ability and persona survive the training on feelings and preferences?
 *
 * Protocol: fixed questions (general/SOURCE.txt) are asked of the model server itself, without the
 * Worker's rules, each alone, with the server's persona of training and a fixed seed. An answer is
 * judged by patterns: what must and what may not be in it; one that is empty, loops or holds a control
 * string never passes. Patterns are coarse: the figure compares weights, it is no score of knowledge.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { inOrder } from '../in-order.ts';
import { type Decoding, decodingOf, type Mode, requestFields } from '../reply/decoding.ts';
import { postJson, type Served, serveModel } from '../serve.ts';
import { type GeneralFigures, generalFigures } from './figures.ts';
import { type Item, parseItems } from './items.ts';

export interface GeneralOptions {
  /** jsonl of items; the committed set unless said otherwise. */
  readonly data?: string;
  /** First items only. */
  readonly limit?: number;
  readonly decoding?: Mode;
  readonly bestOf?: number;
  /** Asked instead of a server that `run` starts and ends itself. */
  readonly served?: Served;
}

const COMMITTED = fileURLToPath(new URL('./items.jsonl', import.meta.url));
const IN_FLIGHT = 8;

/** A right answer stands in the first sentences; a longer one only costs time. */
const MOST_TOKENS = 80;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1),
});

/** @throws on a file that holds something else than items, and when the server does not answer */
export async function run(
  options: GeneralOptions = {},
): Promise<GeneralFigures & { readonly decoding: Decoding }> {
  const all = parseItems(await readFile(options.data ?? COMMITTED, 'utf8'));
  const items = all.slice(0, options.limit);
  const decoding = {
    ...decodingOf(options.decoding ?? 'default', options.bestOf),
    seed: 'number of the item, from 0',
  };
  const server = options.served ?? (await serveModel());
  try {
    const answers = await inOrder(items, (item, seed) => ask(server, { item, seed, decoding }), {
      lanes: IN_FLIGHT,
    });
    return { ...generalFigures(items, answers), decoding };
  } finally {
    if (options.served === undefined) await server.close();
  }
}

async function ask(
  server: Served,
  question: { readonly item: Item; readonly seed: number; readonly decoding: Decoding },
): Promise<string> {
  const { item, seed, decoding } = question;
  const body = { messages: item.ask, seed, max_tokens: MOST_TOKENS, ...requestFields(decoding) };
  const answer = await postJson<unknown>(server, '/v1/chat/completions', body);
  return completion.parse(answer).choices[0]?.message.content ?? '';
}
