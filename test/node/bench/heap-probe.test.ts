import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROBE = fileURLToPath(new URL('../../../bench/heap-probe.ts', import.meta.url));

/** What the probe says on stderr, and its exit code. */
async function probe(url: string): Promise<{ said: string; code: unknown }> {
  const child = spawn(
    process.execPath,
    ['--experimental-websocket', '--no-warnings', '--import', 'tsx', PROBE, url],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  return { said, code };
}

it('the heap probe ends with an error where the inspector hangs up', async () => {
  const server = createServer().on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    const { said, code } = await probe(`ws://127.0.0.1:${port}/ws`);
    expect(said).toMatch(/^the inspector (cannot be reached|hung up before it answered)\n$/);
    expect(code).toBe(1);
  } finally {
    server.close();
  }
});
