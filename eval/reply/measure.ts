/** Asks the model server about one listener turn. */
import { z } from 'zod';
import { postJson, type Served } from '../serve.ts';
import type { Likelihood } from '../text-metrics.ts';
import type { ListenerTurn } from '../turns.ts';
import { type Decoding, requestFields } from './decoding.ts';

/** A generated reply, and the share of the distribution that the labels had at each slot. */
export interface Generated {
  readonly text: string;
  readonly emotionMass: number;
  readonly intentMass: number;
}

/** What was measured on one turn. */
export interface Row {
  readonly conv_id: string;
  /** The newest message before the reply. */
  readonly said: string;
  /** What the person who listened said. */
  readonly reference: string;
  readonly any: Likelihood;
  readonly predicted: Likelihood;
  /** `null` where no gold intent is known. */
  readonly oracle: Likelihood | null;
  /** `null` where only likelihood was asked for. */
  readonly generated: Generated | null;
}

const scores = z.object({
  results: z.array(z.object({ logprobs: z.array(z.number()).min(1) })),
});
const completions = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1),
  attune: z.object({ emotion_mass: z.number(), intent_mass: z.number() }),
});

/**
 * @param asked.gold gold intent of the turn, where it is known
 * @param asked.decoding `null`: no reply is generated
 * @throws when the server does not answer, or with something else
 */
export async function measure(
  server: Served,
  turn: ListenerTurn,
  asked: {
    readonly gold: string | undefined;
    readonly decoding: Decoding | null;
    readonly seed: number;
  },
): Promise<Row> {
  const { messages, reply } = turn;
  const { gold, decoding, seed } = asked;
  const generated = decoding === null ? null : await generate(server, turn, decoding, seed);
  const intents = ['any', 'predicted', ...(gold === undefined ? [] : [gold])];
  const answer = await postJson<unknown>(server, '/v1/score', {
    messages,
    replies: intents.map((intent) => ({ reply, intent })),
  });
  const [any, predicted, oracle] = scores
    .parse(answer)
    .results.map(({ logprobs }): Likelihood => ({ logprobs, text: reply }));
  if (any === undefined || predicted === undefined) throw new Error('a score is missing');
  return {
    conv_id: turn.conv_id,
    said: messages.at(-1)?.content ?? '',
    reference: reply,
    any,
    predicted,
    oracle: oracle ?? null,
    generated,
  };
}

async function generate(
  server: Served,
  { messages }: ListenerTurn,
  decoding: Decoding,
  seed: number,
): Promise<Generated> {
  const answer = await postJson<unknown>(server, '/v1/chat/completions', {
    messages,
    seed,
    ...requestFields(decoding),
  });
  const { choices, attune } = completions.parse(answer);
  return {
    text: choices[0]?.message.content ?? '',
    emotionMass: attune.emotion_mass,
    intentMass: attune.intent_mass,
  };
}
