/** Answers recorded from real servers (fixtures/remote/record.mjs), read without loss. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerSchema, readChoice } from '../../../src/engine/remote/wire.ts';

const recordingSchema = z.object({
  server: z.string(),
  prompt: z.array(z.int()),
  reading: z.unknown(),
  echo: z.unknown(),
  streams: z.object({ byField: z.array(z.string()), byLogprobs: z.array(z.string()) }),
});
const recording = (name: string) =>
  recordingSchema.parse(
    JSON.parse(readFileSync(new URL(`../../fixtures/remote/${name}`, import.meta.url), 'utf8')),
  );
const choiceOf = (answer: unknown) => {
  const [choice] = answerSchema.parse(answer).choices;
  if (choice === undefined) throw new Error('no choice');
  return readChoice(choice);
};
const framesOf = (payloads: readonly string[]) =>
  payloads
    .filter((payload) => payload !== '[DONE]')
    .flatMap((payload) => answerSchema.parse(JSON.parse(payload)).choices)
    .map(readChoice);

describe.each(['llama-server.json', 'vllm.json'])('%s', (name) => {
  it('a reading names ids with their log probabilities', () => {
    const [position] = choiceOf(recording(name).reading).positions;
    const top = [...(position?.top ?? [])];
    expect(top.length).toBeGreaterThanOrEqual(3);
    for (const [token, logprob] of top) {
      expect(token).toBeGreaterThanOrEqual(49_152);
      expect(logprob).toBeLessThan(0);
    }
  });

  it('a stream names every token of the reply in its logprobs, and says why it ended', () => {
    const frames = framesOf(recording(name).streams.byLogprobs);
    expect(frames.flatMap(({ tokens }) => tokens ?? []).length).toBeGreaterThan(3);
    expect(frames.at(-1)?.finishReason).toBe('stop');
  });
});

describe('what they differ in', () => {
  it('only vLLM echoes the prompt with log probabilities', () => {
    const { prompt, echo } = recording('vllm.json');
    const { positions } = choiceOf(echo);
    expect(positions.slice(0, prompt.length).map(({ token }) => token)).toEqual(prompt);
    expect(positions[0]?.logprob).toBeNull();
    expect(positions.slice(1).every(({ logprob }) => logprob !== null && logprob < 0)).toBe(true);
    const other = recording('llama-server.json');
    expect(choiceOf(other.echo).positions).toHaveLength(1);
  });

  it('only vLLM gives token_ids, the end token included', () => {
    const ids = (name: string) =>
      framesOf(recording(name).streams.byField).flatMap(({ tokens }) => tokens ?? []);
    expect(ids('vllm.json').at(-1)).toBe(2);
    expect(ids('llama-server.json')).toEqual([]);
  });
});
