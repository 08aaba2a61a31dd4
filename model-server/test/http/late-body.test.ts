/** Hazard: a request whose body is still on its way when the server stops and frees its engine. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestServer, TOKEN, user } from '../support/client.ts';
import { changed } from './engine-double.ts';

/** Send headers; the body follows when the server has asked for it (RFC 9110, 10.1.1). */
function openRequest(port: number, body: string) {
  const socket = connect({ host: '127.0.0.1', port });
  let answer = '';
  let heard = () => {};
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
    if (answer.startsWith('HTTP/1.1 100')) heard();
  });
  const closed = new Promise<string>((resolve, reject) => {
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
  });
  const lines = [
    'POST /v1/affect HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${TOKEN}`,
    'Expect: 100-continue',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write([...lines, '', ''].join('\r\n'));
  return { asked, closed, sendBody: () => socket.write(body) };
}

describe('a body that arrives while the server stops', () => {
  it('is answered with 503 and never reaches the engine', async () => {
    let used = 0;
    const server = await startTestServer({
      sequences: 1,
      wrapEngine: (engine) =>
        changed(engine, () => ({}), {
          // The engine itself would read freed memory, which ends the process.
          readHeads: async () => {
            used++;
            throw new Error('used after the stop');
          },
        }),
    });
    const request = openRequest(server.port, JSON.stringify({ messages: user('Hi') }));
    await request.asked;
    const closed = server.close();
    request.sendBody();
    const answer = await request.closed;
    await closed;
    expect(answer).toContain('HTTP/1.1 503 ');
    expect(answer).toContain('"code":"shutting_down"');
    expect(used).toBe(0);
  });
});
