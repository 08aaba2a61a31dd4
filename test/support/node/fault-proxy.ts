/**
 * A proxy between the Worker and the real model server that can be told to fail. The Worker under
 * test runs in workerd and cannot be handed another URL, so the fault is chosen over HTTP:
 * `PUT /__fault` with a `Fault`, and `GET /__last` gives the last body that the Worker sent.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export type Fault =
  | { mode: 'pass' }
  /** The connection is closed without an answer. */
  | { mode: 'refuse' }
  /** The connection is held and nothing is ever sent. */
  | { mode: 'silent' }
  | { mode: 'status'; status: number; retryAfter?: string }
  /** The stream is closed after this many bytes of it. */
  | { mode: 'cut'; bytes: number }
  /** Every chunk is sent byte by byte. */
  | { mode: 'bytes' }
  /** This body is sent as the stream. */
  | { mode: 'body'; body: string }
  /** This body is sent, then the stream stays open and silent. */
  | { mode: 'hang'; body: string };

export interface FaultProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Start the proxy on a free port of 127.0.0.1. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = { mode: 'pass' };
  let last = 'null';
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming);
    if (incoming.url === '/__fault') {
      fault = JSON.parse(body);
      outgoing.end();
      return;
    }
    if (incoming.url === '/__last') {
      outgoing.end(last);
      return;
    }
    if (incoming.method === 'POST') last = body;
    switch (fault.mode) {
      case 'refuse':
        outgoing.destroy();
        return;
      case 'silent':
        return;
      case 'status':
        outgoing.statusCode = fault.status;
        if (fault.retryAfter !== undefined) outgoing.setHeader('retry-after', fault.retryAfter);
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end('{"error":{"message":"fault"}}');
        return;
      case 'hang':
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        outgoing.write(fault.body);
        return;
      case 'body':
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        outgoing.end(fault.body);
        return;
      default:
        forward(incoming, body, outgoing, fault);
    }
  }

  function forward(
    incoming: IncomingMessage,
    body: string,
    outgoing: ServerResponse,
    chosen: Fault,
  ): void {
    const upstream = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        let sent = 0;
        response.on('data', (chunk: Buffer) => {
          if (chosen.mode === 'cut' && sent + chunk.length > chosen.bytes) {
            outgoing.write(chunk.subarray(0, chosen.bytes - sent), () => outgoing.destroy());
            upstream.destroy();
            return;
          }
          sent += chunk.length;
          if (chosen.mode === 'bytes') for (const byte of chunk) outgoing.write(Buffer.of(byte));
          else outgoing.write(chunk);
        });
        response.on('end', () => outgoing.end());
        response.on('error', () => outgoing.destroy());
      },
    );
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
