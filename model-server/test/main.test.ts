/** The process itself: what it prints, how it ends. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CONTEXT_SIZE, MODEL_PATH } from './support/model.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

it('the process logs `ready` as JSON, and ends with 0 on SIGTERM', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: {
      ...process.env,
      MODEL_PATH,
      MODEL_CONTEXT_SIZE: String(CONTEXT_SIZE),
      MODEL_SEQUENCES: '1',
      MODEL_SERVER_TOKEN: 'secret',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('"ready"')) child.kill('SIGTERM');
  }
  const events: unknown[] = lines.map((line) => JSON.parse(line));
  expect(events).toEqual([
    expect.objectContaining({
      level: 'info',
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    }),
    expect.objectContaining({ event: 'shutting_down', signal: 'SIGTERM' }),
    expect.objectContaining({ event: 'stopped' }),
  ]);
  expect(await ended).toBe(0);
  expect(lines.join()).not.toContain('secret');
});
