/**
 * ONNX Runtime in workerd: the plain wasm build (W02), one thread.
 *
 * Workers refuse to compile wasm at run time (W01), and onnxruntime-web offers no way to hand over a
 * compiled module: it calls `WebAssembly.instantiate(bytes, imports)`. So it is given a few marker
 * bytes, and only while a session is being created a call with those bytes is answered by an instance
 * of the module that wrangler compiled ahead. Every other call goes to the native function, which
 * goes on refusing.
 */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import {
  CAUSE_OUTPUT,
  EMOTION_OUTPUT,
  IDS_INPUT,
  MASK_INPUT,
  OUTPUTS,
  SCORE_OUTPUT,
} from './constants.ts';

const MARKER = new TextEncoder().encode('attune: the compiled module');

/** Sessions are created one at a time: the replacement of a global must not nest. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Creates an inference session from model bytes. Concurrent calls take turns; a failed one leaves the
 * next unharmed. Everything in here settles in microtasks, so a request that dies half-way cannot
 * leave others waiting for it.
 *
 * @param input.model ONNX bytes; copied, never transferred.
 * @param input.wasm `ort-wasm-simd-threaded.wasm` as a module; read by the first session only.
 * @throws the runtime's error for bytes that are no model, or for a module that is not its own.
 */
export function createSession(input: {
  readonly model: Uint8Array;
  readonly wasm: WebAssembly.Module;
}): Promise<InferenceSession> {
  const created = queue.then(() => createAlone(input));
  queue = created.catch(() => undefined);
  return created;
}

async function createAlone({
  model,
  wasm,
}: {
  readonly model: Uint8Array;
  readonly wasm: WebAssembly.Module;
}): Promise<InferenceSession> {
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
  env.wasm.wasmBinary = MARKER;
  const native = WebAssembly.instantiate;

  function instantiateCompiled(source: unknown, imports?: WebAssembly.Imports): unknown {
    if (!isMarker(source)) return Reflect.apply(native, WebAssembly, [source, imports]);
    return Promise.resolve({ module: wasm, instance: new WebAssembly.Instance(wasm, imports) });
  }

  Reflect.set(WebAssembly, 'instantiate', instantiateCompiled);
  try {
    // The graph is written in the runtime's own operators: there is nothing left to fuse, and the
    // first request took 502–598 ms where the older graph, fused at load, took 837–965 ms
    // (docs/decisions/2026-11-30-the-graph-is-written-by-hand.md).
    return await InferenceSession.create(model, {
      executionProviders: ['wasm'],
      graphOptimizationLevel: 'disabled',
    });
  } finally {
    Reflect.set(WebAssembly, 'instantiate', native);
  }
}

/** The runtime copies the bytes on the way, so they are compared, not the object. */
function isMarker(source: unknown): boolean {
  return (
    source instanceof Uint8Array &&
    source.length === MARKER.length &&
    source.every((byte, index) => byte === MARKER[index])
  );
}

/** What one run of the graph gives, copied out of the runtime's memory. */
export interface GraphOutputs {
  /** [32], order of `EMOTIONS`. */
  readonly emotionLogits: Float32Array;
  /** One per token. */
  readonly causeLogits: Float32Array;
  /** One per entry of `scores` in `affect.json`. */
  readonly scores: Float32Array;
}

/**
 * Runs the graph once on one token sequence.
 *
 * One sequence per run, never a padded batch: int8 activations share one scale per run, so a batch
 * would let strangers' messages change each other's result.
 *
 * @param ids length ≥ 1, what `layout` returned.
 * @throws the runtime's error, or one that names an output of another type. Its tensors are given
 *   back in every case.
 */
export async function runGraph(
  session: InferenceSession,
  ids: readonly number[],
): Promise<GraphOutputs> {
  const shape = [1, ids.length];
  const inputs = {
    [IDS_INPUT]: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    [MASK_INPUT]: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
  };
  const tensors: Tensor[] = Object.values(inputs);
  try {
    const outputs = await session.run(inputs, OUTPUTS);
    tensors.push(...Object.values(outputs));
    return {
      emotionLogits: floats(outputs, EMOTION_OUTPUT),
      causeLogits: floats(outputs, CAUSE_OUTPUT),
      scores: floats(outputs, SCORE_OUTPUT),
    };
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

function floats(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const values = outputs[name]?.data;
  if (!(values instanceof Float32Array)) throw new TypeError(`${name} is not float32`);
  return values.slice();
}
