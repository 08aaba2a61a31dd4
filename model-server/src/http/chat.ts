/** `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto';
import type { Engine, GenerationEvent, Prompt } from '../engine/types.ts';
import { failed, type Result, success } from '../result.ts';
import { bestOf, type ReplyEvent } from '../select/best-of.ts';
import { queryOf } from '../select/exchanges.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { type CompletionId, chunkMaker, completion, usageOf } from './completion.ts';
import { type Admission, enterQueue, failureOf, type ServerContext } from './context.ts';
import { errorBody, errorResponse, type Failure } from './failures.ts';
import { preparePrompt } from './prepare.ts';
import { eventStream, SSE_HEADERS } from './sse.ts';

/** One admitted request. */
interface Job {
  readonly engine: Engine;
  readonly request: ChatRequest;
  readonly prompt: Prompt;
  /** Replies that people gave to similar messages. */
  readonly retrieved: readonly string[];
  readonly admission: Admission;
  readonly id: CompletionId;
}

type HeadsEvent = Extract<GenerationEvent, { type: 'heads' }>;

/** Answer a parsed body. Everything that can be refused is refused before the stream begins. */
export async function chat(
  context: ServerContext,
  engine: Engine,
  body: unknown,
  client: AbortSignal,
): Promise<Response> {
  const request = parseChatRequest(body, engine.info, context.randomSeed);
  if (!request.ok) return errorResponse(request.failure);
  const { conversation, generation, stream } = request.value;
  const retrieved = retrieve(context, request.value);
  if (!retrieved.ok) return errorResponse(retrieved.failure);
  const prompt = preparePrompt(engine, conversation, generation.maxTokens);
  if (!prompt.ok) return errorResponse(prompt.failure);
  const admission: Result<Admission, Failure> = enterQueue(context, client);
  if (!admission.ok) return errorResponse(admission.failure);
  const job: Job = {
    engine,
    request: request.value,
    prompt: prompt.value,
    retrieved: retrieved.value,
    admission: admission.value,
    id: {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(context.now() / 1_000),
      model: engine.info.model,
    },
  };
  return stream ? streamed(context, job) : whole(context, job);
}

/** Retrieved replies for a request that asks for them. */
function retrieve(
  context: ServerContext,
  request: ChatRequest,
): Result<readonly string[], Failure> {
  const count = request.choice?.retrieved ?? 0;
  if (count === 0) return success([]);
  if (context.retrieval === undefined) {
    return failed({
      kind: 'unsupported_parameter',
      param: 'attune.retrieval',
      message:
        'attune.retrieval is not supported: this server has no retrieval index (MODEL_RETRIEVAL_INDEX).',
    });
  }
  const said = request.conversation.turns.filter(({ role }) => role === 'user');
  return success(context.retrieval.find(queryOf(said.map(({ text }) => text)), count));
}

/** The events of the answer: of the one reply, or of the chosen one. */
function replyTo(job: Job): AsyncGenerator<ReplyEvent, void, void> {
  const { engine, request, prompt, retrieved } = job;
  const { signal } = job.admission.run;
  const { conversation, generation, choice } = request;
  if (choice === null) return engine.generate(prompt, generation, signal);
  return bestOf({ engine, conversation, prompt, generation, ...choice, retrieved, signal });
}

/** Headers leave now, while the request may still wait in the queue. */
function streamed(context: ServerContext, job: Job): Response {
  const chunks = chunkMaker(job.id, job.request.includeUsage);
  const stream = eventStream({
    keepAliveMs: context.keepAliveMs,
    onCancel: () => job.admission.run.end('client_gone'),
    write: async (out) => {
      let heads: HeadsEvent | null = null;
      const failure = await runJob(context, job, (event) => {
        switch (event.type) {
          case 'heads':
            heads = event;
            return out.data(chunks.first(event));
          case 'token':
          case 'piece':
            return event.text === '' ? undefined : out.data(chunks.text(event.text));
          case 'end':
            if (event.text !== '') out.data(chunks.text(event.text));
            out.data(chunks.last(event));
            if (heads !== null && job.request.includeUsage) {
              out.data(chunks.usage(usageOf(heads, event, job.prompt.trimmedTurns)));
            }
            return out.done();
        }
      });
      // One terminal marker on every path (case S08), as data so that clients raise it (case S09).
      if (failure !== null) out.data(errorBody(failure));
    },
  });
  return new Response(stream, { headers: SSE_HEADERS });
}

async function whole(context: ServerContext, job: Job): Promise<Response> {
  let heads: HeadsEvent | null = null;
  let text = '';
  let answer: object | null = null;
  const failure = await runJob(context, job, (event) => {
    if (event.type === 'heads') heads = event;
    else text += event.text;
    if (event.type === 'end' && heads !== null) {
      const usage = usageOf(heads, event, job.prompt.trimmedTurns);
      answer = completion(job.id, { heads, text, end: event, usage });
    }
  });
  if (failure !== null || answer === null) return errorResponse(failure ?? { kind: 'internal' });
  return Response.json(answer);
}

/** Wait, generate, give everything back. Never throws. */
async function runJob(
  context: ServerContext,
  job: Job,
  on: (event: ReplyEvent) => void,
): Promise<Failure | null> {
  const { admission } = job;
  const { metrics } = context;
  const { run } = admission;
  let outcome: string = 'error';
  try {
    const refused = await admission.admitted;
    if (refused !== null) {
      outcome = 'cancelled';
      return refused;
    }
    for await (const event of replyTo(job)) {
      if (event.type === 'heads') {
        metrics.count('attune_prompt_tokens_total', event.promptTokens);
        metrics.count('attune_prompt_tokens_reused_total', event.reusedTokens);
      } else if (event.type === 'token') {
        metrics.count('attune_generated_tokens_total');
      } else if (event.type === 'end') {
        outcome = event.finishReason;
      }
      on(event);
    }
    return null;
  } catch (error) {
    if (run.signal.aborted) outcome = 'cancelled';
    return failureOf(context, run, error);
  } finally {
    metrics.count('attune_generations_total', 1, { outcome });
    admission.leave();
  }
}
