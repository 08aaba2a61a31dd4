/**
 * `eval -- reply`: the language model as it is served, over HTTP.
 *
 * Protocol. Perplexity: every listener turn given the turns before it (history intents `any`),
 * reply tokens plus the end token, token = SmolLM2's BPE; with intent `any` (the comparable
 * figure), with the model's own predicted intent, and, where labels are at hand, with the gold
 * intent (an oracle). Generation: one reply per listener turn with the server's default sampling
 * and a fixed seed; corpus BLEU on lower-cased words and punctuation, one reference; Dist-n over
 * the corpus.
 */
import { INTENTS } from '../model-server/src/engine/slots.ts';
import { type Half, historyOf, readDialogues, readGoldIntents } from './dialogues.ts';
import { postJson, type Served, serveModel } from './serve.ts';
import { bleu, distinct, type Likelihood, perplexity, words } from './text-metrics.ts';

export interface ReplyOptions {
  readonly data: string;
  readonly limit?: number;
  /** One half of the validation split only. */
  readonly half?: Half;
}

interface Item {
  readonly messages: { role: 'user' | 'assistant'; content: string }[];
  readonly reply: string;
  readonly gold: string | undefined;
}

/** Requests in flight: as many as the server has sequences by default. */
const IN_FLIGHT = 4;

export async function run(options: ReplyOptions): Promise<Record<string, number | string | null>> {
  const dialogues = await readDialogues(options.data, options);
  const gold = await readGoldIntents(options.data, INTENTS);
  const items = dialogues.flatMap((dialogue): Item[] =>
    dialogue.turns.flatMap((turn, index) =>
      turn.role === 'listener' && index > 0
        ? [
            {
              messages: historyOf(dialogue, index),
              reply: turn.text,
              gold: turn.intent ?? gold.get(`${dialogue.conv_id}#${index}`),
            },
          ]
        : [],
    ),
  );
  const server = await serveModel();
  try {
    const rows = await inOrder(items, (item, index) => measure(server, item, index));
    const any = perplexity(rows.map((row) => row.any));
    const oracle = rows.flatMap((row) => (row.oracle === null ? [] : [row.oracle]));
    const replies = rows.map((row) => row.said);
    return {
      n: rows.length,
      conversations: dialogues.length,
      ppl_token: any.ppl_token,
      ppl_token_predicted_intent: perplexity(rows.map((row) => row.predicted)).ppl_token,
      ppl_token_oracle_intent: oracle.length === 0 ? null : perplexity(oracle).ppl_token,
      n_oracle: oracle.length,
      ppl_word: any.ppl_word,
      bits_per_char: any.bits_per_char,
      ...bleu(rows.map((row) => [row.said, row.any.text])),
      dist1: distinct(replies, 1),
      dist2: distinct(replies, 2),
      mean_words:
        replies.reduce((sum, text) => sum + words(text).length, 0) / Math.max(rows.length, 1),
      decoding: 'server defaults, seed = turn index',
    };
  } finally {
    await server.close();
  }
}

async function measure(server: Served, item: Item, seed: number) {
  const { messages, reply, gold } = item;
  const completion = await postJson<{ choices: { message: { content: string } }[] }>(
    server,
    '/v1/chat/completions',
    { model: 'attune-135m', messages, seed },
  );
  const intents = ['any', 'predicted', ...(gold === undefined ? [] : [gold])];
  const { results } = await postJson<{ results: { logprobs: number[] }[] }>(server, '/v1/score', {
    messages,
    replies: intents.map((intent) => ({ reply, intent })),
  });
  const [any, predicted, oracle] = results.map(
    ({ logprobs }): Likelihood => ({ logprobs, text: reply }),
  );
  if (any === undefined || predicted === undefined) throw new Error('a score is missing');
  const said = completion.choices[0]?.message.content ?? '';
  return { said, any, predicted, oracle: oracle ?? null };
}

/** Map with a bounded number in flight; results in the order of the items. */
async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return results;
}
