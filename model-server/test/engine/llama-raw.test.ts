/** Raw completions over the sequences: which state is kept for whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEngine } from '../../src/engine/llama.ts';
import { isRaw, type RawEngine, type RawRequest } from '../../src/engine/raw.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from '../support/model.ts';

let engine: RawEngine;
beforeAll(async () => {
  const loaded = await loadEngine({
    modelPath: MODEL_PATH,
    sequences: 3,
    contextSize: CONTEXT_SIZE,
    threads: THREADS,
    gpu: false,
    warn: () => {},
  });
  if (!isRaw(loaded)) throw new Error('no raw completions');
  engine = loaded;
});
afterAll(() => engine.close());

const request = (prompt: readonly number[], more: Partial<RawRequest> = {}): RawRequest => ({
  prompt,
  maxTokens: 1,
  sampling: {
    temperature: 0,
    topK: 1,
    topP: 1,
    minP: 0,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repeatPenalty: 1,
    seed: 0,
    logitBias: new Map(),
  },
  stopTokens: new Set(),
  ignoreEnd: true,
  top: null,
  echoFrom: null,
  fresh: false,
  ...more,
});
/** Complete, up to the first token or to the end; tells how much of the prompt was kept. */
const reused = async (wanted: RawRequest, early = false) => {
  let reusedTokens = -1;
  for await (const event of engine.raw.complete(wanted, new AbortController().signal)) {
    if (event.type === 'prompt') reusedTokens = event.reusedTokens;
    if (event.type === 'token' && early) break;
  }
  return reusedTokens;
};

describe('candidates that are echoed behind one prompt', () => {
  it('evaluate the prompt once, however long they are and whatever else is free', async () => {
    const prompt = engine.raw.encode(
      'I lost my dog today and I do not know what to do without him.',
    );
    const candidates = [
      'I am so sorry to hear that, what happened to him if I may ask you?',
      'That is wonderful news, congratulations on your new house in the city!',
      'You must feel very sad about it, have you asked your neighbours for help?',
    ].map((text) => engine.raw.encode(text));
    const kept: number[] = [];
    for (const candidate of candidates) {
      const whole = [...prompt, ...candidate];
      kept.push(await reused(request(whole, { top: 1, echoFrom: prompt.length })));
    }
    // Its last token is evaluated again: what follows it is asked for.
    expect(kept).toEqual([0, prompt.length - 1, prompt.length - 1]);
  });
});

describe('a completion that nobody reads to its end', () => {
  it('leaves the state of its prompt for the next one', async () => {
    const prompt = engine.raw.encode(
      'The sea was quiet that morning, and nobody was on the beach.',
    );
    await reused(request(prompt, { maxTokens: 8 }), true);
    expect(await reused(request(prompt))).toBe(prompt.length - 1);
  });
});
