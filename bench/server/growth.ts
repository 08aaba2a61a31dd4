/**
 * `npx tsx bench/server/growth.ts [REQUESTS]`: resident memory of a model server while eight users
 * talk to it, score replies and leave in mid-stream. Prints a row per tenth; nothing may grow but
 * at the beginning.
 */
import { type Served, serveModel } from '../../eval/serve.ts';
import { residentMb } from '../measure.ts';
import { PROMPTS } from '../prompts.ts';

const USERS = 8;
const REPLIES = ['I am so sorry to hear that.', 'That is wonderful news!'];

const requests = Number(process.argv[2] ?? 2_000);
const server = await serveModel();
try {
  let next = 0;
  const user = async () => {
    while (next < requests) {
      const index = next++;
      await request(server, index);
      if (index % Math.ceil(requests / 10) === 0) {
        console.log(JSON.stringify({ requests: index, resident_mb: await residentMb(server.pid) }));
      }
    }
  };
  await Promise.all(Array.from({ length: USERS }, user));
  console.log(JSON.stringify({ requests, resident_mb: await residentMb(server.pid) }));
} finally {
  await server.close();
}

/** Every third request scores, every fifth leaves after the first piece. */
async function request(served: Served, index: number): Promise<void> {
  const messages = [{ role: 'user', content: PROMPTS[index % PROMPTS.length] }];
  const [path, body] =
    index % 3 === 0
      ? ['/v1/score', { messages, replies: REPLIES.map((reply) => ({ reply })) }]
      : ['/v1/chat/completions', { messages, stream: true, max_tokens: 4, seed: index }];
  const gone = new AbortController();
  const response = await fetch(served.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  if (index % 5 !== 0) {
    await response.arrayBuffer();
    return;
  }
  await response.body?.getReader().read();
  gone.abort();
}
