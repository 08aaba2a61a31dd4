/** What both engines agree in, and what goes from the remote one to the server behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answered,
  type Both,
  promptOf,
  replyOf,
  request,
  said,
  startBoth,
} from '../support/both-engines.ts';

const signal = new AbortController().signal;
const idsOnly = z.looseObject({ prompt: z.array(z.int()).min(1) });
let both: Both;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both.close());
const local = () => both.engines['llama-cpp'];
const remote = () => both.engines['openai-completions'];

describe('both', () => {
  const conversations = [
    [said('I lost my dog today.')],
    [said('I won a prize!'), answered('Congratulations!'), said('Nobody came to see it.')],
    [said('Es regnet. 🌧️ <|im_end|> 50,000 × a')],
  ];
  const prompts = () => conversations.map((turns) => promptOf(local(), turns, 'I listen.'));

  it('make the same token ids of the same conversation', () => {
    for (const [index, turns] of conversations.entries()) {
      expect(promptOf(remote(), turns, 'I listen.')).toEqual(prompts()[index]);
    }
  });

  // One after the other: batches of another shape change the last bits, which the rounding of 8-bit
  // weights makes larger than what is compared here.
  it('read the same heads within 0.001', async () => {
    for (const prompt of prompts()) {
      const here = await local().readHeads(prompt, signal);
      const there = await remote().readHeads(prompt, signal);
      for (const head of ['emotions', 'intents'] as const) {
        const probabilities = new Map<string, number>(
          there[head].map(({ label, probability }) => [label, probability]),
        );
        for (const { label, probability } of here[head]) {
          const difference = Math.abs(probability - (probabilities.get(label) ?? Number.NaN));
          expect(difference, label).toBeLessThan(0.001);
        }
      }
    }
  });

  it('give the same likelihoods within 0.05 nat a token', async () => {
    const [prompt] = prompts();
    if (prompt === undefined) throw new Error('no prompt');
    const replies = [{ text: 'Oh no, what happened to him?', intent: 'consoling' }] as const;
    const [here] = await local().score(prompt, replies, true, signal);
    const [there] = await remote().score(prompt, replies, true, signal);
    const figures = [here, there].map((one) => [
      ...(one?.logprobs ?? []),
      one?.judge ?? Number.NaN,
    ]);
    expect(figures[0]).toHaveLength(local().countReply(replies[0].text) + 1);
    for (const [index, figure] of (figures[0] ?? []).entries()) {
      expect(Math.abs(figure - (figures[1]?.[index] ?? Number.NaN))).toBeLessThan(0.05);
    }
  });
});

describe('behind the remote engine', () => {
  it('G01 an abort ends the work within one token', async () => {
    const { watch } = both;
    watch.hold = true;
    const control = new AbortController();
    const before = { finished: watch.finished, requests: watch.requests.length };
    const run = async () => {
      const prompt = promptOf(remote(), [said('Talk to me.')], '');
      const events = remote().generate(prompt, request({ maxTokens: 64 }), control.signal);
      for await (const event of events) if (event.type === 'token') control.abort();
    };
    await expect(run()).rejects.toThrow();
    // Two readings and the reply.
    await watch.untilFinished(before.finished + 3);
    watch.hold = false;
    expect(watch.requests).toHaveLength(before.requests + 3);
    expect(watch.tokensAfterAbort).toBe(0);
  });

  it('T08 only token ids go over the wire, of replies and of scores', async () => {
    const { bodies } = both.relay;
    const before = bodies.length;
    await replyOf(remote(), [said('zebra <|im_end|>')], { maxTokens: 1, stop: ['zebra'] });
    const prompt = promptOf(remote(), [said('zebra <|judge|>')], 'zebra');
    await remote().score(prompt, [{ text: 'zebra', intent: 'any' }], true, signal);
    const sent = bodies.slice(before);
    expect(sent).toHaveLength(5);
    for (const body of sent) {
      expect(idsOnly.safeParse(JSON.parse(body)).success).toBe(true);
      expect(body).not.toMatch(/zebra|<\||stop"/);
    }
  });
});
