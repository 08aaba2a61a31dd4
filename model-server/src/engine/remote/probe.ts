/** A first look at a remote engine: is it there, is it ours, what can it do. */
import { MIN_HEAD_MASS } from '../../constants.ts';
import { failed, type Result, success } from '../../result.ts';
import { EngineFailure } from '../failure.ts';
import { buildPrompt } from '../prompt.ts';
import type { Tokenizer } from '../tokenizer.ts';
import type { CompletionsClient, Models } from './client.ts';
import { readHeadsRemotely } from './heads.ts';
import type { RemoteFacts } from './remote-engine.ts';
import { RemoteModel } from './remote-model.ts';
import type { TokenIds } from './requests.ts';

/** What is asked of the server. */
export interface ProbeOptions {
  /** Name of the model there; null takes the server's first. */
  readonly model: string | null;
  readonly contextSize: number;
  /** `auto` asks the server for the probabilities of a few tokens. */
  readonly scoring: 'auto' | boolean;
}

/** Why the server cannot be used: not now, or not as it is. The message says what to do. */
export interface ProbeFailure {
  readonly kind: 'not_up' | 'unfit';
  readonly message: string;
}

/** A server that can be used. */
export interface Probed {
  readonly model: RemoteModel;
  readonly facts: RemoteFacts;
}

const HINTS = "vLLM needs --max-logprobs 64; llama.cpp's server and Attune's own need no option.";

/** Look at a server, with a fixed prompt. */
export async function probe(
  client: CompletionsClient,
  tokenizer: Tokenizer,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<Result<Probed, ProbeFailure>> {
  try {
    const name = chooseModel(await client.models(signal), options);
    if (!name.ok) return name;
    const model = new RemoteModel(client, name.value);
    const tokenIds = await findHeads(model, tokenizer, signal);
    if (!tokenIds.ok) return tokenIds;
    const scoring =
      options.scoring === 'auto' ? await canScore(model, tokenizer, signal) : options.scoring;
    return success({ model, facts: { tokenIds: tokenIds.value, scoring } });
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return failed(meaningOf(error));
  }
}

function meaningOf(failure: EngineFailure): ProbeFailure {
  const words = failure.words === '' ? '' : ` ("${failure.words}")`;
  if (failure.kind !== 'broken') {
    return { kind: 'not_up', message: `ENGINE_URL: ${failure.message}${words}.` };
  }
  const advice = failure.status === 401 || failure.status === 403 ? 'Set ENGINE_TOKEN.' : ADVICE;
  return { kind: 'unfit', message: `ENGINE_URL: ${failure.message}${words}. ${advice}` };
}

const ADVICE = `It must speak OpenAI's /v1/models and /v1/completions with token-id prompts and 64 log probabilities. ${HINTS}`;

function chooseModel(models: Models, options: ProbeOptions): Result<string, ProbeFailure> {
  const names = models.data.map(({ id }) => id);
  const found = models.data.find(({ id }) => options.model === null || id === options.model);
  if (found === undefined) {
    const message = `The remote engine has no model ${options.model}: set ENGINE_MODEL to one of ${names.join(', ')}.`;
    return failed({ kind: 'unfit', message });
  }
  const size = found.max_model_len ?? found.context_length ?? found.meta?.n_ctx ?? null;
  if (size !== null && size < options.contextSize) {
    const message = `The remote engine has ${size} tokens of context and MODEL_CONTEXT_SIZE is ${options.contextSize}: lower it, or give the engine more.`;
    return failed({ kind: 'unfit', message });
  }
  return success(found.id);
}

/** The heads of a fixed prompt must hold most of the distribution, and streams must name ids. */
async function findHeads(
  model: RemoteModel,
  { vocabulary, encode }: Tokenizer,
  signal: AbortSignal,
): Promise<Result<TokenIds, ProbeFailure>> {
  const { slots, ending, masked } = vocabulary;
  const turns = [{ role: 'user', text: 'I lost my dog today.', intent: 'any' }] as const;
  const conversation = { persona: '', turns, emotion: null };
  const prompt = buildPrompt<number>(conversation, { slots, encode }, PROBE_BUDGET);
  if (!prompt.ok) throw new Error('the probe does not fit');
  const { heads } = await readHeadsRemotely(model, slots, prompt.value, signal);
  if (Math.min(heads.emotionMass, heads.intentMass) < MIN_HEAD_MASS) {
    const shares = [heads.emotionMass, heads.intentMass].map((mass) => mass.toFixed(3)).join(', ');
    const message = `The remote model does not know our slots (share of the emotion and intent tokens: ${shares}; at least ${MIN_HEAD_MASS} is needed). Serve there the weights whose vocabulary MODEL_PATH names.`;
    return failed({ kind: 'unfit', message });
  }
  const sampling = {
    temperature: 0,
    topP: 1,
    minP: 0,
    frequencyPenalty: 0,
    presencePenalty: 0,
    repeatPenalty: 1,
    seed: 0,
  };
  const tokens = [...prompt.value.tokens, ...optional(slots.steering.get('any'))];
  const want = { prompt: tokens, maxTokens: 1, sampling, said: 0, ending, excluded: masked };
  return success(await model.findTokenIds({ ...want, fresh: false }, signal));
}

/** Room for the probe's own prompt. */
const PROBE_BUDGET = 128;

async function canScore(
  model: RemoteModel,
  { encode }: Tokenizer,
  signal: AbortSignal,
): Promise<boolean> {
  const tokens = encode('I am so sorry to hear that.');
  try {
    await model.score(tokens, 1, signal);
    return true;
  } catch (error) {
    // It refused, or answered something else. A server that is gone is no answer.
    if (error instanceof EngineFailure && error.kind === 'broken') return false;
    throw error;
  }
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
