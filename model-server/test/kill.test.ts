/** A server that is killed in mid-stream leaves nothing behind that the next one trips over. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { TOKEN, user } from './support/client.ts';
import { CONTEXT_SIZE, MODEL_PATH } from './support/model.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Two starts, on a busy machine. */
const PATIENCE_MS = 240_000;
const readySchema = z.object({ event: z.literal('ready'), url: z.url() });
const answerSchema = z.object({ usage: z.object({ completion_tokens: z.int().positive() }) });

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server process; resolves when it is ready. */
async function start(port: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: {
      ...process.env,
      MODEL_PATH,
      MODEL_CONTEXT_SIZE: String(CONTEXT_SIZE),
      MODEL_SEQUENCES: '2',
      MODEL_THREADS: '1',
      MODEL_SERVER_TOKEN: TOKEN,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = readySchema.safeParse(JSON.parse(line));
    if (ready.success) return { child, url: ready.data.url };
  }
  throw new Error('the server ended before it was ready');
}

function chat(url: string, more: object): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: user('Tell me about the sea.'), ...more }),
  });
}

it(
  'after kill -9 in mid-stream the next server starts on the same port and answers',
  async () => {
    const first = await start('0');
    const stream = await chat(first.url, { stream: true, max_tokens: 200 });
    const reader = stream.body?.getReader();
    const decoder = new TextDecoder();
    let seen = '';
    while (!/"content":"[^"]/.test(seen)) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) throw new Error('the stream ended before its first word');
      seen += decoder.decode(chunk.value, { stream: true });
    }
    const ended = new Promise((resolve) =>
      first.child.once('exit', (_, signal) => resolve(signal)),
    );
    first.child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    // The client learns that the stream is cut: it has no end marker.
    const rest = async () => {
      for (;;) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) return seen;
        seen += decoder.decode(chunk.value, { stream: true });
      }
    };
    await rest().catch(() => {});
    expect(seen).not.toContain('[DONE]');

    const second = await start(new URL(first.url).port);
    const answer = await chat(second.url, { max_tokens: 4 });
    expect(answer.status).toBe(200);
    expect(answerSchema.safeParse(await answer.json()).success).toBe(true);
  },
  PATIENCE_MS,
);
