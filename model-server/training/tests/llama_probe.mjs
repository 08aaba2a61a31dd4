// What llama.cpp makes of a GGUF file: `node llama_probe.mjs request.json answer.json`.
// Request: { model: path of the first shard, exact: boolean,
//            texts: string[], sequences: { ids: number[], at: number[] }[] }.
// Answer:  { vocabulary: number, context: number, ids: number[][], special: number[][],
//            probabilities: number[][][] }: the ids of each text with control strings literal
//            and with them parsed; per sequence and per position in `at` the distribution of
//            the next token in vocabulary order.
import { readFileSync, writeFileSync } from 'node:fs';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

const request = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const llama = await getLlama({
  gpu: false,
  build: 'never',
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
  maxThreads: 1,
});
const model = await llama.loadModel({ modelPath: request.model, useMmap: true });

// llama.cpp keeps keys and values in float16 unless told otherwise, which alone would cost
// three digits of the comparison.
const exact = request.exact
  ? { experimentalKvCacheKeyType: 'F32', experimentalKvCacheValueType: 'F32' }
  : {};
const longest = Math.max(64, ...request.sequences.map((sequence) => sequence.ids.length));
const context = await model.createContext({
  contextSize: longest + 8,
  sequences: 1,
  threads: 1,
  flashAttention: false,
  ...exact,
});

const sequence = context.getSequence();
const probabilities = [];
for (const { ids, at } of request.sequences) {
  await sequence.clearHistory();
  const input = ids.map((id, index) =>
    at.includes(index) ? [id, { generateNext: { probabilities: true } }] : id,
  );
  const output = await sequence.controlledEvaluate(input);
  probabilities.push(
    at.map((index) => {
      const row = new Array(request.vocabulary).fill(0);
      for (const [token, probability] of output[index].next.probabilities) row[token] = probability;
      return row;
    }),
  );
}

writeFileSync(
  process.argv[3],
  JSON.stringify({
    vocabulary: model.fileInfo.metadata.llama.vocab_size,
    context: model.trainContextSize,
    ids: request.texts.map((text) => model.tokenize(text, false)),
    special: request.texts.map((text) => model.tokenize(text, true)),
    probabilities,
  }),
);
await llama.dispose();
