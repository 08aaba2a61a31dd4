/** Hazard: a client leaves in the moment in which llama.cpp fails. The sequence's state is unknown. */
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import { LlamaEngine } from '../../src/engine/llama-engine.ts';
import { type Native, openNative } from '../../src/engine/native.ts';
import { findFirstShard } from '../../src/engine/shards.ts';
import { readVocabulary } from '../../src/engine/vocabulary.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from '../support/model.ts';

/** An engine of one sequence; `before` runs ahead of each evaluation. */
async function engineWith(before: () => void): Promise<LlamaEngine> {
  const shard = findFirstShard(MODEL_PATH);
  if (!shard.ok) throw new Error(shard.failure.message);
  const logLevel = LlamaLogLevel.error;
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel });
  const model = await llama.loadModel({ modelPath: shard.value, gpuLayers: 0 });
  const sizes = { sequences: 1, contextSize: CONTEXT_SIZE, batchSize: 128, threads: THREADS };
  const context = await model.createContext(sizes);
  const vocabulary = readVocabulary(model);
  const real = openNative({ llama, model, context });
  if (!vocabulary.ok || !real.ok) throw new Error('the model cannot be opened');
  const { context: inside, createSampler } = real.value;
  const sampleToken: Native['context']['sampleToken'] = inside.sampleToken.bind(inside);
  const native: Native = {
    createSampler,
    context: {
      initBatch: (tokens) => inside.initBatch(tokens),
      addToBatch: (...place) => inside.addToBatch(...place),
      decodeBatch: async () => {
        before();
        await inside.decodeBatch();
      },
      sampleToken,
      removeTokenCellsFromSequence: (...cells) => inside.removeTokenCellsFromSequence(...cells),
    },
  };
  return new LlamaEngine({ llama, model, context, native, vocabulary: vocabulary.value });
}

it('G01 forgets a sequence whose evaluation failed, also when its client left just then', async () => {
  let before = () => {};
  const engine = await engineWith(() => before());
  try {
    const text = 'I lost my dog today and I do not know what to do. '.repeat(4).trim();
    const turns = [{ role: 'user', text, intent: 'any' }] as const;
    const prompt = engine.prepare({ persona: engine.info.persona, turns, emotion: null }, 8);
    if (!prompt.ok) throw new Error(prompt.failure.kind);
    const request = {
      sampling: {
        temperature: 0,
        topP: 1,
        minP: 0,
        frequencyPenalty: 0,
        presencePenalty: 0,
        repeatPenalty: 1,
        seed: 0,
      },
      maxTokens: 1,
      stop: [],
      intent: 'any',
      intentBias: {},
      deterministic: false,
    } as const;
    const reused = async (signal: AbortSignal) => {
      let tokens: number | null = null;
      for await (const event of engine.generate(prompt.value, request, signal)) {
        if (event.type === 'heads') tokens = event.reusedTokens;
      }
      return tokens;
    };
    const stays = new AbortController().signal;
    await reused(stays);
    expect(await reused(stays)).toBeGreaterThan(0);
    for (const use of [reused, (signal: AbortSignal) => engine.readHeads(prompt.value, signal)]) {
      const control = new AbortController();
      before = () => {
        control.abort();
        throw new Error('llama.cpp failed');
      };
      await expect(use(control.signal)).rejects.toThrow('llama.cpp failed');
      before = () => {};
      expect(await reused(stays)).toBe(0);
    }
  } finally {
    await engine.close();
  }
});
