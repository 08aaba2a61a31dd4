/** A plain HTTP client of the model server, with a reader for its event streams. */
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server.ts';
import { CONTEXT_SIZE, MODEL_PATH, THREADS } from './model.ts';

export const TOKEN = 'test-token';

/** A server with small, quick settings on a free port. */
export function startTestServer(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  return startServer({
    modelPath: MODEL_PATH,
    port: 0,
    token: TOKEN,
    threads: THREADS,
    contextSize: CONTEXT_SIZE,
    sequences: 2,
    ...options,
  });
}

/** POST a body; strings go out as they are. */
export function post(
  server: RunningServer,
  path: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

export function get(
  server: RunningServer,
  path: string,
  token: string | null = TOKEN,
): Promise<Response> {
  return fetch(
    server.url + path,
    token === null ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
}

/** One user message. */
export function user(content: string) {
  return [{ role: 'user', content }];
}

const ranked = z.array(z.object({ label: z.string(), probability: z.number() }).strict());
const usage = z
  .object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    attune_trimmed_turns: z.int(),
  })
  .strict();
const finish = z.enum(['stop', 'length']);
const heads = {
  emotions: ranked,
  intents: ranked,
  emotion_mass: z.number(),
  intent_mass: z.number(),
};

/** The exact shape of a chunk: `.strict()` refuses what OpenAI's typed clients do not know. */
export const chunkSchema = z
  .object({
    id: z.string().startsWith('chatcmpl-'),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z
        .object({
          index: z.literal(0),
          delta: z
            .object({ role: z.literal('assistant').optional(), content: z.string().optional() })
            .strict(),
          logprobs: z.null(),
          finish_reason: finish.nullable(),
        })
        .strict(),
    ),
    usage: usage.nullable().optional(),
    attune: z
      .union([
        z.object({ ...heads, intent: z.string() }).strict(),
        z.object({ response_score: z.number().nullable() }).strict(),
      ])
      .optional(),
  })
  .strict();

/** The exact shape of an answer that was not streamed. */
export const completionSchema = z
  .object({
    id: z.string().startsWith('chatcmpl-'),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z
      .array(
        z
          .object({
            index: z.literal(0),
            message: z
              .object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() })
              .strict(),
            logprobs: z.null(),
            finish_reason: finish,
          })
          .strict(),
      )
      .length(1),
    usage,
    attune: z
      .object({ ...heads, intent: z.string(), response_score: z.number().nullable() })
      .strict(),
  })
  .strict();

/** OpenAI's error object. */
export const errorSchema = z
  .object({
    error: z
      .object({
        message: z.string(),
        type: z.string(),
        param: z.string().nullable(),
        code: z.string(),
        offset: z.int().optional(),
      })
      .strict(),
  })
  .strict();

export type Chunk = z.output<typeof chunkSchema>;

/** Everything a stream said. */
export interface Transcript {
  /** `data:` payloads as text, in order. */
  readonly data: readonly string[];
  readonly comments: readonly string[];
}

/** Read a stream to its end, with one persistent decoder and a real event-stream parser. */
export async function readStream(response: Response): Promise<Transcript> {
  const data: string[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: (event) => data.push(event.data),
    onComment: (comment) => comments.push(comment.trim()),
    onError: (error) => {
      throw error;
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of response.body ?? [])
    parser.feed(decoder.decode(bytes, { stream: true }));
  decoder.decode();
  return { data, comments };
}

/** The chunks of a stream that ended well. */
export function chunksOf(transcript: Transcript): Chunk[] {
  return transcript.data
    .filter((text) => text !== '[DONE]')
    .map((text) => chunkSchema.parse(JSON.parse(text)));
}

/** The text of all deltas. */
export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
}

/** Parse a failed response: its status, code and parameter. */
export async function failureOf(response: Response) {
  const { error } = errorSchema.parse(await response.json());
  return { status: response.status, code: error.code, param: error.param, offset: error.offset };
}
