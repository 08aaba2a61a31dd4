import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server.ts';
import { MODEL_PATH, THREADS } from '../support/model.ts';

const TEXTS = [
  'My dog died yesterday and the house is quiet.',
  'I passed my exam with the best mark of the class!',
  'My neighbour plays loud music every single night.',
  'I found my old school diary in the attic.',
  'My sister has not called me for months.',
  'I am moving to another city next week.',
];
const REPLY = 'I am so sorry to hear that. What happened then?';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ port: 0, modelPath: MODEL_PATH, sequences: 4, threads: THREADS });
});

afterAll(() => server.close());

async function score(content: string): Promise<number[]> {
  const response = await fetch(`${server.url}/v1/score`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: [{ role: 'user', content }],
      replies: Array.from({ length: 3 }, () => ({ reply: REPLY, intent: 'any' })),
    }),
  });
  const body: { results: { logprobs: number[] }[] } = JSON.parse(await response.text());
  return body.results.flatMap(({ logprobs }) => logprobs);
}

describe('sequences that are served at the same time', () => {
  it('never see the probabilities of one another', async () => {
    const alone: number[][] = [];
    for (const text of TEXTS) alone.push(await score(text));
    for (let round = 0; round < 2; round++) {
      const together = await Promise.all(TEXTS.map(score));
      for (const [i, logprobs] of together.entries()) {
        const largest = Math.max(...logprobs.map((p, k) => Math.abs(p - (alone[i]?.[k] ?? 0))));
        // A reused prefix changes the last bits; another sequence's row is off by whole nats.
        expect(largest).toBeLessThan(0.5);
      }
    }
  });
});
