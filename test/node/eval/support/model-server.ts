/** Somebody who speaks the model server's JSON on a free port. */
import { createServer } from 'node:http';
import type { Served } from '../../../../eval/serve.ts';

/** Fields of the routes' bodies; each route has some of them. */
export interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly candidates: readonly string[];
  readonly replies: readonly { readonly reply: string; readonly intent: string }[];
  readonly seed: number;
}

/** A request as it came. */
export interface Asked {
  readonly path: string;
  readonly body: Body;
}

/** @param answer gives the JSON answer to a request */
export async function pretending(
  answer: (asked: Asked) => unknown,
): Promise<{ readonly served: Served; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const one = { path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) };
    asked.push(one);
    response.end(JSON.stringify(answer(one)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { served: { url: `http://127.0.0.1:${port}`, token: 'x', pid: undefined, close }, asked };
}
