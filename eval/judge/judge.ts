/** The EPITOME judge in this process: ONNX Runtime's plain wasm, as the edge classifier. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { createSession } from '../../src/affect/runtime.ts';
import { createTextTokenizer } from '../../src/affect/tokenizer.ts';
import { LEVELS, MECHANISMS, readJudgeDescription } from './description.ts';
import { judgeInput, type Levels, levelsOf } from './layout.ts';

/** Reads how empathetic a response to a post is. */
export type Judge = (pair: {
  readonly seeker: string;
  readonly response: string;
}) => Promise<Levels>;

const MODEL = new URL('./model/', import.meta.url);

/**
 * Loads the committed judge.
 * @throws when a file is missing or is another one than its description names
 */
export async function loadJudge(): Promise<Judge> {
  const json = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(name, MODEL), 'utf8'));
  const description = readJudgeDescription(await json('epitome.json'));
  const tokenizerJson = await json('tokenizer.json');
  if (typeof tokenizerJson !== 'object' || tokenizerJson === null) {
    throw new Error('tokenizer.json is no tokenizer');
  }
  const tokenizer = createTextTokenizer({ json: tokenizerJson, rules: description.rules });
  const model = await readFile(new URL('epitome.int8.onnx', MODEL));
  const sha256 = createHash('sha256').update(model).digest('hex');
  if (sha256 !== description.sha256) {
    throw new Error(`epitome.int8.onnx: expected sha256 ${description.sha256}, found ${sha256}`);
  }
  const resolve = createRequire(import.meta.url).resolve;
  const wasm = await readFile(resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'));
  const session = await createSession({
    model: Uint8Array.from(model),
    wasm: await WebAssembly.compile(Uint8Array.from(wasm)),
  });
  return async function judge({ seeker, response }) {
    const texts = { seeker: tokenizer.encode(seeker), response: tokenizer.encode(response) };
    const input = judgeInput(texts, description);
    return levelsOf(await logitsOf(session, input));
  };
}

async function logitsOf(
  session: InferenceSession,
  { ids, responseMask }: ReturnType<typeof judgeInput>,
): Promise<number[]> {
  const row = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const inputs = {
    input_ids: row(ids),
    attention_mask: row(ids.map(() => 1)),
    response_mask: row(responseMask),
  };
  const tensors: Tensor[] = Object.values(inputs);
  try {
    const outputs = await session.run(inputs, ['level_logits']);
    tensors.push(...Object.values(outputs));
    const logits = outputs['level_logits']?.data;
    if (!(logits instanceof Float32Array) || logits.length !== MECHANISMS.length * LEVELS) {
      throw new TypeError('level_logits is not what the description says');
    }
    return [...logits];
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}
