/**
 * One reply from the model server, through `@huggingface/inference`. The client hides what a turn
 * must know (status, Retry-After, a stream cut short), so its `fetch` is wrapped here:
 * - `retry_on_error` is off: a 503 would otherwise be retried in a tight loop;
 * - the response's status is read before the client turns it into an exception;
 * - a stream that ends without `finish_reason` is a failure, not an answer (S06, S12).
 */
import { InferenceClient } from '@huggingface/inference';
import type { DialogueTurn } from '../affect/types.ts';
import { MAX_REPLY_TOKENS, UPSTREAM_HEADERS_MS, UPSTREAM_STALL_MS } from '../limits.ts';
import { type Chunk, readChunk } from './chunk.ts';

export interface UpstreamRequest {
  readonly messages: readonly DialogueTurn[];
  /** Response intent asked of the model; `null` lets its own intent head decide. */
  readonly intent: string | null;
}

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly model: string;
  readonly requestId: string;
  /** Aborted by the turn that owns it: stop, a client gone for good, the turn's own deadline. */
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
  readonly headersMs?: number;
  readonly stallMs?: number;
}

export type UpstreamFailure =
  | { readonly kind: 'busy'; readonly retry_after: number }
  | { readonly kind: 'down' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'aborted' };

export type UpstreamOpen =
  | { readonly ok: true; readonly chunks: AsyncGenerator<Chunk, UpstreamFailure | null> }
  | { readonly ok: false; readonly failure: UpstreamFailure };

const DEFAULT_RETRY_SECONDS = 2;

/**
 * Start a reply and wait for the upstream's response headers (at most `headersMs`).
 * The returned generator yields chunks and returns null on a proper end, else why it ended.
 */
export async function openUpstream(
  request: UpstreamRequest,
  options: UpstreamOptions,
): Promise<UpstreamOpen> {
  const headers = Promise.withResolvers<Response | null>();
  const control = new AbortController();
  const stop = () => control.abort();
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  const client = new InferenceClient(options.token, { retry_on_error: false }).endpoint(
    `${options.baseUrl}/v1`,
  );
  const stream = client.chatCompletionStream(
    {
      model: options.model,
      messages: request.messages.map(({ role, text }) => ({ role, content: text })),
      max_tokens: MAX_REPLY_TOKENS,
      stream_options: { include_usage: true },
      ...(request.intent === null ? {} : { attune: { intent: request.intent } }),
    },
    { signal: control.signal, fetch: observedFetch(options, headers.resolve) },
  );
  const first = stream.next().then(
    (result) => ({ result }),
    () => ({ result: null }),
  );
  void first.then(() => headers.resolve(null));
  const response = await within(headers.promise, options.headersMs ?? UPSTREAM_HEADERS_MS);
  if (response === 'timeout' || response === null || !response.ok) {
    stop();
    options.signal.removeEventListener('abort', stop);
    return { ok: false, failure: headerFailure(response, options.signal) };
  }
  const chunks = readChunks(first, stream, options, stop);
  return { ok: true, chunks };
}

function observedFetch(options: UpstreamOptions, seen: (response: Response) => void): typeof fetch {
  const send = options.fetch ?? fetch;
  return async function fetchWithRequestId(input, init) {
    const headers = new Headers(init?.headers);
    headers.set('x-request-id', options.requestId);
    const response = await send(input, { ...init, headers });
    seen(response);
    return response;
  };
}

function headerFailure(
  response: Response | 'timeout' | null,
  signal: AbortSignal,
): UpstreamFailure {
  if (signal.aborted) return { kind: 'aborted' };
  if (response === 'timeout' || response === null) return { kind: 'down' };
  if (response.status !== 429) return { kind: 'down' };
  const seconds = Number(response.headers.get('retry-after'));
  return { kind: 'busy', retry_after: seconds > 0 ? Math.ceil(seconds) : DEFAULT_RETRY_SECONDS };
}

type Step = { readonly result: IteratorResult<unknown> | null };

async function* readChunks(
  first: Promise<Step>,
  stream: AsyncGenerator<unknown>,
  options: UpstreamOptions,
  stop: () => void,
): AsyncGenerator<Chunk, UpstreamFailure | null> {
  let finished = false;
  let pending = first;
  try {
    for (;;) {
      const step = await within(pending, options.stallMs ?? UPSTREAM_STALL_MS);
      if (options.signal.aborted) return { kind: 'aborted' };
      if (step === 'timeout') return { kind: 'stalled' };
      if (step.result === null) return { kind: 'cut' };
      if (step.result.done === true) return finished ? null : { kind: 'cut' };
      const chunk = readChunk(step.result.value);
      if (chunk === null) return { kind: 'cut' };
      finished ||= chunk.finish !== null;
      yield chunk;
      pending = stream.next().then(
        (result) => ({ result }),
        () => ({ result: null }),
      );
    }
  } finally {
    stop();
    options.signal.removeEventListener('abort', stop);
  }
}

/** The promise's value, or "timeout"; the timer never outlives the race. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'timeout'> {
  const timer = Promise.withResolvers<'timeout'>();
  const id = setTimeout(() => timer.resolve('timeout'), milliseconds);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(id);
  }
}
