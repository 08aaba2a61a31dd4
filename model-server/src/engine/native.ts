/**
 * The inside of node-llama-cpp that the engine uses: batches, rows and samplers. The public surface
 * reads the rows of a batch from several threads at once, which mixes them up (docs/decisions,
 * "Rows are read one at a time"), and orders a batch without knowing its sequences. The package is
 * pinned to one version; what is used of it is checked here when the server starts.
 */
import { failed, type Result, success } from '../result.ts';

/** Settings of a sampler chain; what is left out is off. */
export interface SamplerConfig {
  /** 0 is greedy, and then nothing but the biases and penalties applies. */
  readonly temperature: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  /** Another seed than before starts the random numbers again. */
  readonly seed: number;
  /** Token ids, and what is added to their logits. */
  readonly tokenBiasKeys?: Uint32Array;
  readonly tokenBiasValues?: Float32Array;
  readonly repeatPenalty?: number;
  readonly repeatPenaltyMaxTokens?: number;
  readonly repeatPenaltyTokens?: Uint32Array;
  readonly repeatPenaltyPresencePenalty?: number;
  readonly repeatPenaltyFrequencyPenalty?: number;
}

/** A native sampler: 0.6 MB that only V8's collector frees, so few are made and all are kept. */
export interface NativeSampler {
  applyConfig(config: SamplerConfig): void;
  dispose(): void;
}

/** A token, the probabilities of all candidates (id, probability, id, …), that of the token. */
export type Reading = readonly [
  token: number,
  candidates: readonly number[] | undefined,
  probability: number | undefined,
];

/** llama.cpp's context. Nothing but `sampleToken` may be called while `decodeBatch` runs. */
export interface NativeContext {
  /** Begin a batch of exactly this many tokens. */
  initBatch(tokens: number): void;
  /**
   * @param at indices into `tokens` whose distribution is wanted
   * @returns their rows
   */
  addToBatch(
    sequence: number,
    position: number,
    tokens: Uint32Array,
    at: Uint32Array,
  ): Iterable<number>;
  decodeBatch(): Promise<void>;
  /** Draw a token from a row; -1 when the chain left none. Not two at once. */
  sampleToken(row: number, sampler: NativeSampler): Promise<number>;
  sampleToken(
    row: number,
    sampler: NativeSampler,
    candidates: boolean,
    probability: boolean,
  ): Promise<Reading>;
  /** Forget the cells of positions `start` … `end` - 1; -1 is the end of the sequence. */
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean;
}

/** What the engine needs of a loaded model. */
export interface Native {
  readonly context: NativeContext;
  readonly createSampler: () => NativeSampler;
}

/** What was not found. */
export interface NativeFailure {
  readonly message: string;
}

const CONTEXT_METHODS = [
  'initBatch',
  'addToBatch',
  'decodeBatch',
  'sampleToken',
  'removeTokenCellsFromSequence',
] as const satisfies readonly (keyof NativeContext)[];
const SAMPLER_METHODS = [
  'applyConfig',
  'dispose',
] as const satisfies readonly (keyof NativeSampler)[];

/** Find the inside of node-llama-cpp's `Llama`, `LlamaModel` and `LlamaContext`, or say what is missing. */
export function openNative(loaded: {
  readonly llama: object;
  readonly model: object;
  readonly context: object;
}): Result<Native, NativeFailure> {
  const context = property(loaded.context, '_ctx');
  const model = property(loaded.model, '_model');
  const Sampler = property(property(loaded.llama, '_bindings'), 'AddonSampler');
  if (!isContext(context)) return missing(`a context with ${CONTEXT_METHODS.join(', ')}`);
  if (typeof Sampler !== 'function' || !isObject(model)) return missing('a sampler');
  const createSampler = () => {
    const sampler: unknown = Reflect.construct(Sampler, [model]);
    if (!isSampler(sampler)) throw new Error('the sampler has changed');
    return sampler;
  };
  try {
    createSampler().dispose();
  } catch {
    return missing(`a sampler with ${SAMPLER_METHODS.join(', ')}`);
  }
  return success({ context, createSampler });
}

function missing(what: string): Result<never, NativeFailure> {
  return failed({
    message: `The installed node-llama-cpp has no ${what} inside: run "npm ci" to get the pinned version.`,
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function property(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof property(value, name) === 'function');
}

function isContext(value: unknown): value is NativeContext {
  return hasMethods(value, CONTEXT_METHODS);
}

function isSampler(value: unknown): value is NativeSampler {
  return hasMethods(value, SAMPLER_METHODS);
}
