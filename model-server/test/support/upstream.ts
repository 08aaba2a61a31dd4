/** A scripted server of OpenAI's completion API, and what a test needs around it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';

const bodySchema = z.looseObject({ prompt: z.array(z.int()), stream: z.boolean().optional() });
export type UpstreamBody = z.output<typeof bodySchema>;

/** Answers one request; what it does not end stays open. */
export type Script = (response: ServerResponse, body: UpstreamBody) => void;

/** One model, `m`; every completion is answered by the script. */
export class Upstream {
  readonly #server: Server;
  /** Answers `POST /v1/completions`. */
  script: Script = (response) => response.end();
  /** Answers `GET /v1/models`. */
  models: (response: ServerResponse) => void = (response) =>
    json(response, 200, { object: 'list', data: [{ id: 'm', max_model_len: 1_024 }] });
  /** Bodies of completions so far. */
  readonly bodies: UpstreamBody[] = [];
  /** `Authorization` headers so far. */
  readonly tokens: (string | undefined)[] = [];
  /** Completions whose connection is over. */
  closed = 0;
  #announce = () => {};
  url = '';

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listen on a free port of the loopback address. */
  static async start(): Promise<Upstream> {
    const server = createServer();
    const upstream = new Upstream(server);
    server.on('request', (request, response) => void upstream.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    upstream.url = `http://127.0.0.1:${port}/v1`;
    return upstream;
  }

  /** Resolves when so many completions are over. */
  async untilClosed(count: number): Promise<void> {
    while (this.closed < count) {
      await new Promise<void>((resolve) => {
        this.#announce = resolve;
      });
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.tokens.push(request.headers.authorization);
    if (request.method === 'GET') return this.models(response);
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += String(piece);
    const body = bodySchema.parse(JSON.parse(text));
    this.bodies.push(body);
    response.on('close', () => {
      this.closed++;
      this.#announce();
    });
    return this.script(response, body);
  }
}

/** Answer with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Begin an event stream with some `data:` payloads. */
export function frames(response: ServerResponse, payloads: readonly (object | string)[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const payload of payloads) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    response.write(`data: ${text}\n\n`);
  }
}

/** A frame of generated tokens. */
export function tokenFrame(ids: readonly number[], finishReason: string | null = null) {
  return { choices: [{ index: 0, text: '', token_ids: ids, finish_reason: finishReason }] };
}

/** A frame of generated tokens as llama.cpp's server writes it: their text, their ids in `logprobs`. */
export function itemFrame(
  text: string,
  ids: readonly number[],
  finishReason: string | null = null,
) {
  const content = ids.map((id) => ({ id, logprob: -1, top_logprobs: [] }));
  return { choices: [{ index: 0, text, logprobs: { content }, finish_reason: finishReason }] };
}

/** A prompt echoed with log probabilities of -0.5, and one token more, in vLLM's names. */
export function echo(prompt: readonly number[]) {
  return {
    choices: [
      {
        index: 0,
        text: '',
        finish_reason: 'length',
        logprobs: {
          tokens: [...prompt, 120].map((token) => `token_id:${token}`),
          token_logprobs: [null, ...prompt.map(() => -0.5)],
          top_logprobs: null,
        },
      },
    ],
  };
}

/** A whole answer that tells one distribution, in vLLM's names. */
export function reading(probabilities: Readonly<Record<number, number>>) {
  const entries = Object.entries(probabilities).map(([id, p]) => [`token_id:${id}`, Math.log(p)]);
  const [first] = entries;
  return {
    choices: [
      {
        index: 0,
        text: '',
        finish_reason: 'length',
        logprobs: {
          tokens: [first?.[0]],
          token_logprobs: [first?.[1]],
          top_logprobs: [Object.fromEntries(entries)],
        },
      },
    ],
  };
}
