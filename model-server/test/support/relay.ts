/** A relay in front of a server: everything passes as it is, and what was sent is kept. */
import { createServer, request } from 'node:http';

/** Where the relay is, and what came over the wire. */
export interface Relay {
  readonly url: string;
  /** Bodies of requests as they came, without those of GET. */
  readonly bodies: string[];
  close(): Promise<void>;
}

/** Listen on a free port of the loopback address; a connection that ends on one side ends on the other. */
export async function startRelay(target: string): Promise<Relay> {
  const bodies: string[] = [];
  const server = createServer(async (incoming, answer) => {
    let body = '';
    for await (const piece of incoming.setEncoding('utf8')) body += String(piece);
    if (incoming.method === 'POST') bodies.push(body);
    const { method, headers } = incoming;
    const outgoing = request(target + (incoming.url ?? ''), { method, headers });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
