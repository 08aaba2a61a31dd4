/** The HTTP side of a remote engine: JSON answers, event streams, and every way in which they fail. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { UPSTREAM_WORDS } from '../../constants.ts';
import { EngineFailure } from '../failure.ts';
import { failureOfStatus } from './status.ts';
import { answerSchema, modelsSchema } from './wire.ts';

/** Where the remote engine is, and how patient to be. */
export interface ClientOptions {
  /** Base URL of its API, with or without `/v1`. */
  readonly url: string;
  /** Bearer token; null for none. */
  readonly token: string | null;
  /**
   * Longest silence in milliseconds, before the answer and inside of it. Every byte is a sign of
   * life; an answer that is kept alive may take {@link SILENCES} times as long.
   */
  readonly timeoutMs: number;
  /** Calls `action` later unless cancelled; tests have their own. */
  readonly after?: (milliseconds: number, action: () => void) => () => void;
}

/**
 * A server may keep a request alive while it waits in its queue, and a reply of many tokens takes a
 * while; but one that only ever says that it is alive must not hold a sequence for ever.
 */
const SILENCES = 10;

export type Answer = z.output<typeof answerSchema>;
export type Models = z.output<typeof modelsSchema>;

const errorSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  message: z.string().nullish(),
});

/** One server. Every method throws {@link EngineFailure}, or the signal's reason when aborted. */
export class CompletionsClient {
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#base = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#options = options;
  }

  /** `GET /v1/models`. */
  async models(signal: AbortSignal): Promise<Models> {
    return this.#call({ path: '/v1/models', signal }, modelsSchema);
  }

  /** `POST /v1/completions`, answered as a whole. */
  async complete(body: object, signal: AbortSignal): Promise<Answer> {
    return this.#call({ path: '/v1/completions', body, signal }, answerSchema);
  }

  /**
   * `POST /v1/completions`, streamed. Ends after `[DONE]` or the end of the connection; returning
   * early closes the connection, which stops the work behind it.
   */
  async *stream(body: object, signal: AbortSignal): AsyncGenerator<Answer, void, void> {
    const call = this.#open({ signal });
    try {
      const bytes = await this.#send('/v1/completions', { ...body, stream: true }, call);
      const frames = bytes
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const { data } of frames) {
        if (data === '[DONE]') return;
        yield this.#parse(data, answerSchema);
      }
    } catch (error) {
      throw call.meaning(error);
    } finally {
      call.close();
    }
  }

  async #call<S extends z.ZodType>(
    request: { readonly path: string; readonly body?: object; readonly signal: AbortSignal },
    schema: S,
  ): Promise<z.output<S>> {
    const call = this.#open(request);
    try {
      const bytes = await this.#send(request.path, request.body ?? null, call);
      return this.#parse(await new Response(bytes).text(), schema);
    } catch (error) {
      throw call.meaning(error);
    } finally {
      call.close();
    }
  }

  /** The body of a successful answer. */
  async #send(
    path: string,
    body: object | null,
    call: Call,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { token } = this.#options;
    const response = await fetch(this.#base + path, {
      method: body === null ? 'GET' : 'POST',
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      signal: call.signal,
    });
    call.heard();
    if (response.body === null) {
      throw new EngineFailure('broken', 'the remote engine sent no body', {
        status: response.status,
      });
    }
    const bytes = response.body.pipeThrough(listening(call));
    if (response.ok) return bytes;
    throw failureOfStatus(
      response.status,
      response.headers.get('retry-after'),
      this.#wordsOf(await new Response(bytes).text()),
    );
  }

  /** JSON of a known shape; an error object in its place is a failure, too. */
  #parse<S extends z.ZodType>(text: string, schema: S): z.output<S> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new EngineFailure('broken', 'the remote engine sent something that is not JSON');
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const words = this.#wordsOf(text);
    throw words === ''
      ? new EngineFailure('broken', 'the remote engine sent JSON of another shape')
      : new EngineFailure('broken', 'the remote engine reported an error', { words });
  }

  /** The message of an error body without our token, shortened; empty when it has none. */
  #wordsOf(body: string): string {
    const words = messageOf(body);
    const { token } = this.#options;
    return (token ? words.replaceAll(token, '…') : words).slice(0, UPSTREAM_WORDS);
  }

  /** A request's own life: it ends with the caller's signal, a silence, or its longest time. */
  #open({ signal }: { readonly signal: AbortSignal }): Call {
    const after = this.#options.after ?? afterTimeout;
    const control = new AbortController();
    const stop = () => control.abort();
    const { timeoutMs } = this.#options;
    let over: string | null = null;
    const endAfter = (milliseconds: number, why: string) =>
      after(milliseconds, () => {
        over = why;
        stop();
      });
    const listen = () => endAfter(timeoutMs, 'the remote engine fell silent');
    const cancelLife = endAfter(timeoutMs * SILENCES, 'the remote engine did not come to an end');
    let cancel = listen();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return {
      signal: control.signal,
      heard: () => {
        cancel();
        cancel = listen();
      },
      meaning: (error) => {
        if (signal.aborted) return signal.reason;
        if (over !== null) return new EngineFailure('unavailable', over);
        if (error instanceof EngineFailure) return error;
        // What fetch throws: refused, reset, cut in the middle, not HTTP.
        return new EngineFailure('unavailable', 'the connection to the remote engine failed');
      },
      close: () => {
        cancel();
        cancelLife();
        signal.removeEventListener('abort', stop);
        stop();
      },
    };
  }
}

/** One request under way. */
interface Call {
  readonly signal: AbortSignal;
  /** Something came: the silence starts anew. */
  heard(): void;
  /** What a caught error means to the caller. */
  meaning(error: unknown): unknown;
  /** It is over; a connection still open is closed. */
  close(): void;
}

/** Passes bytes on and tells the call of each piece, also of those that end no event (S02). */
function listening(call: Call): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(piece, controller) {
      call.heard();
      controller.enqueue(piece);
    },
  });
}

function messageOf(body: string): string {
  try {
    const { error, message } = errorSchema.parse(JSON.parse(body));
    return typeof error === 'string' ? error : (error?.message ?? message ?? '');
  } catch {
    return '';
  }
}

function afterTimeout(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}
