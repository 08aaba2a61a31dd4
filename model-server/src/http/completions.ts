/**
 * `POST /v1/completions`: OpenAI's older API over token ids or one text, without the slot format.
 * Beside OpenAI's fields it knows those of vLLM that a caller of ids needs (`return_token_ids`,
 * `return_tokens_as_token_ids`, `stop_token_ids`, `ignore_eos`), llama.cpp's `cache_prompt`, and
 * SGLang's `logprob_start_len`. With it this server can stand behind another one as its engine.
 */
import { randomUUID } from 'node:crypto';
import { isRaw, type RawEngine, type RawEvent, type RawPosition } from '../engine/raw.ts';
import { StopFilter } from '../engine/stop-filter.ts';
import { TextAssembler } from '../engine/text-assembler.ts';
import type { Engine } from '../engine/types.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type CompletionsRequest, parseCompletionsRequest } from './completions-request.ts';
import { type Admission, enterQueue, failureOf, type ServerContext } from './context.ts';
import { errorBody, errorResponse, type Failure } from './failures.ts';
import { eventStream, SSE_HEADERS } from './sse.ts';

/** One admitted request. */
interface Job {
  readonly engine: RawEngine;
  readonly request: CompletionsRequest;
  readonly admission: Admission;
  /** Fields of every chunk. */
  readonly shared: object;
}

/** Some tokens of the answer, on their way out. */
interface Piece {
  readonly text: string;
  readonly tokens: readonly { readonly id: number; readonly position: RawPosition | null }[];
  readonly finishReason: 'stop' | 'length' | null;
}

/** Answer a parsed body. */
export async function completions(
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
): Promise<Response> {
  if (!isRaw(engine)) {
    const message = 'This server passes its work on to another engine: ask that one.';
    return errorResponse({ kind: 'not_supported', param: null, message });
  }
  const request = parseCompletionsRequest(body, engine, context.randomSeed);
  if (!request.ok) return errorResponse(request.failure);
  // Who has texts echoed scores candidates.
  const kind = request.value.raw.echoFrom === null ? 'chat' : 'batch';
  const admission = enterQueue(context, client, kind);
  if (!admission.ok) return errorResponse(admission.failure);
  const shared = {
    id: `cmpl-${randomUUID()}`,
    object: 'text_completion',
    created: Math.floor(context.now() / 1_000),
    model: engine.info.model,
  };
  const job: Job = { engine, request: request.value, admission: admission.value, shared };
  return request.value.stream ? streamed(context, job) : whole(context, job);
}

function streamed(context: ServerContext, job: Job): Response {
  const choice = choiceMaker(job);
  // With include_usage every chunk has the key, and only the last one a value (case O05).
  const shared = job.request.includeUsage ? { ...job.shared, usage: null } : job.shared;
  const stream = eventStream({
    keepAliveMs: context.keepAliveMs,
    onCancel: () => job.admission.run.end('client_gone'),
    write: async (out) => {
      const usage = new Usage(job.request, context.metrics);
      const failure = await runJob(context, job, usage, (piece) =>
        out.data({ ...shared, choices: [choice(piece)] }),
      );
      if (failure !== null) return out.data(errorBody(failure));
      if (job.request.includeUsage) {
        out.data({ ...shared, choices: [], usage: usage.fields() });
      }
      return out.done();
    },
  });
  return new Response(stream, { headers: SSE_HEADERS });
}

async function whole(context: ServerContext, job: Job): Promise<Response> {
  const pieces: Piece[] = [];
  const usage = new Usage(job.request, context.metrics);
  const failure = await runJob(context, job, usage, (piece) => pieces.push(piece));
  if (failure !== null) return errorResponse(failure);
  const all: Piece = {
    text: pieces.map(({ text }) => text).join(''),
    tokens: pieces.flatMap(({ tokens }) => tokens),
    finishReason: pieces.at(-1)?.finishReason ?? 'length',
  };
  return Response.json({
    ...job.shared,
    choices: [choiceMaker(job)(all)],
    usage: usage.fields(),
  });
}

/** Wait, complete, give everything back. Never throws. */
async function runJob(
  context: ServerContext,
  job: Job,
  usage: Usage,
  on: (piece: Piece) => void,
): Promise<Failure | null> {
  const { engine, request, admission } = job;
  const { run } = admission;
  try {
    const refused = await admission.admitted;
    if (refused !== null) return refused;
    for await (const piece of pieces(job, usage, engine.raw.complete(request.raw, run.signal))) {
      on(piece);
    }
    return null;
  } catch (error) {
    return failureOf(context, run, error);
  } finally {
    admission.leave();
  }
}

/** Events to pieces; a stop string ends the work early. */
async function* pieces(
  job: Job,
  usage: Usage,
  events: AsyncGenerator<RawEvent, void, void>,
): AsyncGenerator<Piece, void, void> {
  const { engine, request } = job;
  const text = new TextAssembler();
  const filter = new StopFilter(request.stop);
  for await (const event of events) {
    if (event.type === 'prompt') {
      usage.began(event.reusedTokens);
      if (!request.echo) continue;
      const echoed = new TextAssembler();
      yield {
        text: request.raw.prompt.map((id) => echoed.push(engine.raw.textOf(id))).join(''),
        tokens: request.raw.prompt.map((id, index) => ({
          id,
          position: event.positions[index] ?? null,
        })),
        finishReason: null,
      };
    } else if (event.type === 'token') {
      usage.drew();
      const said = filter.push(event.ending ? '' : text.push(engine.raw.textOf(event.token)));
      const tokens = [{ id: event.token, position: event.position }];
      yield { text: said.text, tokens, finishReason: said.stopped ? 'stop' : null };
      if (said.stopped) return;
    } else {
      yield { text: filter.end(), tokens: [], finishReason: event.finishReason };
    }
  }
}

/** Makes choices of one answer; offsets go on from piece to piece. */
function choiceMaker(job: Job): (piece: Piece) => object {
  const { engine, request } = job;
  const nameOf = (id: number) => (request.idNames ? `token_id:${id}` : engine.raw.nameOf(id));
  let offset = 0;
  const logprobs = ({ tokens, text }: Piece) => {
    const start = offset;
    offset += text.length;
    if (request.raw.top === null) return null;
    return {
      tokens: tokens.map(({ id }) => nameOf(id)),
      token_logprobs: tokens.map(({ position }) => position?.logprob ?? null),
      top_logprobs: tokens.map(({ position }) =>
        position === null
          ? null
          : Object.fromEntries(position.top.map(([id, logprob]) => [nameOf(id), logprob])),
      ),
      // Of the piece that a token came with: a character may be spread over several tokens.
      text_offset: tokens.map(() => start),
    };
  };
  return function choice(piece) {
    return {
      index: 0,
      text: piece.text,
      logprobs: logprobs(piece),
      finish_reason: piece.finishReason,
      ...(request.tokenIds ? { token_ids: piece.tokens.map(({ id }) => id) } : {}),
    };
  };
}

/** Token counts of one answer, told to the metrics as they come. */
class Usage {
  readonly #promptTokens: number;
  readonly #metrics: Metrics;
  #reusedTokens = 0;
  #completionTokens = 0;

  constructor(request: CompletionsRequest, metrics: Metrics) {
    this.#promptTokens = request.raw.prompt.length;
    this.#metrics = metrics;
  }

  /** The prompt was read. */
  began(reusedTokens: number): void {
    this.#reusedTokens = reusedTokens;
    this.#metrics.count('attune_prompt_tokens_total', this.#promptTokens);
    this.#metrics.count('attune_prompt_tokens_reused_total', reusedTokens);
  }

  /** A token was sampled. */
  drew(): void {
    this.#completionTokens++;
    this.#metrics.count('attune_generated_tokens_total');
  }

  fields(): object {
    return {
      prompt_tokens: this.#promptTokens,
      completion_tokens: this.#completionTokens,
      total_tokens: this.#promptTokens + this.#completionTokens,
      prompt_tokens_details: { cached_tokens: this.#reusedTokens },
    };
  }
}
