/** The real `npm start`, twice on one home folder: Ctrl-C, what survives it, and a child that dies. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runStart } from './support/command.ts';
import {
  isAlive,
  type Process,
  type Service,
  startService,
  temporaryHome,
} from './support/service.ts';

/** A first start may build the page, and loads the weights on a machine that is busy with tests. */
const START_MS = 240_000;

const home = temporaryHome();
afterAll(() => home.remove());

async function post(service: Service, path: string, body: unknown): Promise<string> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.text();
}

async function readSession(service: Service, id: string): Promise<string> {
  const response = await fetch(`${service.url}/v1/sessions/${id}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** The whole list, so that a failure names what is left. */
function survivors(processes: readonly Process[]): readonly string[] {
  return processes.filter(({ pid }) => isAlive(pid)).map(({ command }) => command);
}

describe('npm start', () => {
  let first: Service;
  let session = '';

  beforeAll(async () => {
    first = await startService(home.path);
  }, START_MS);

  afterAll(() => first?.stop());

  test('shows progress and prints the address, a curl and the demo key', () => {
    const output = first.output();
    expect(output).toContain('Loading the language model');
    expect(output).toContain(`${first.url}/\n`);
    expect(output).toMatch(/curl -N .*\/messages/);
    expect(output).toMatch(/^demo key: attune_demo_[\w-]{32}$/m);
  });

  test('answers a message in the session that it made', async () => {
    const created: unknown = JSON.parse(await post(first, '/v1/sessions', {}));
    expect(created).toMatchObject({ session_id: expect.any(String) });
    session = /"session_id":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? '';
    const stream = await post(first, `/v1/sessions/${session}/messages`, {
      text: 'My sister got the job that she wanted!',
      stream: true,
    });
    expect(stream).toMatch(/^event: delta$/m);
    expect(stream).toMatch(/^event: done$/m);
    expect(stream).toContain('"finish_reason":"stop"');
  });

  test('keeps keys out of the process list and in files of this user only', () => {
    const commands = first.processes().map(({ command }) => command);
    expect(commands.some((command) => command.includes('workerd'))).toBe(true);
    const files = readdirSync(home.path).filter((name) => /demo-key|\.env$/.test(name));
    expect(files).toHaveLength(2);
    for (const name of files) {
      const path = join(home.path, name);
      expect(statSync(path).mode & 0o077).toBe(0);
      const secrets = readFileSync(path, 'utf8').match(/[\w-]{32,}/g) ?? [];
      expect(secrets).not.toHaveLength(0);
      for (const secret of secrets) {
        expect(commands.some((command) => command.includes(secret))).toBe(false);
      }
    }
  });

  test('a second start on the same port is told so and leaves the first alone', async () => {
    const { code, output } = runStart(['--port', String(first.port)]);
    expect(code).toBe(1);
    expect(output).toContain(`Port ${first.port} is already in use`);
    expect((await fetch(`${first.url}/readyz`)).ok).toBe(true);
  });

  test('Ctrl-C ends every process that it started', async () => {
    const processes = first.processes();
    expect(processes.length).toBeGreaterThanOrEqual(4);
    first.signal('SIGINT');
    // npm itself ends by the signal, so its exit code says nothing.
    await first.exit;
    expect(first.output()).toContain('Stopping');
    expect(survivors(processes)).toEqual([]);
    await expect(fetch(`${first.url}/healthz`)).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${first.modelPort}/healthz`)).rejects.toThrow();
    expect(readdirSync(home.path).filter((name) => name.endsWith('.env'))).toEqual([]);
  });

  describe('under an npm that is killed', () => {
    test(
      'ends every process that it started',
      async () => {
        const orphan = await startService(home.path);
        const processes = orphan.processes();
        process.kill(orphan.pid, 'SIGKILL');
        await orphan.exit;
        await vi.waitFor(() => expect(survivors(processes)).toEqual([]), START_MS);
      },
      START_MS,
    );
  });

  describe('started again', () => {
    let second: Service;

    beforeAll(async () => {
      second = await startService(home.path);
    }, START_MS);

    afterAll(() => second?.stop());

    test('has the same demo key and still knows the session', async () => {
      expect(second.key).toBe(first.key);
      expect(await readSession(second, session)).toContain(
        'My sister got the job that she wanted!',
      );
    });

    test('says which child died, ends the other and fails', async () => {
      const processes = second.processes();
      const model = processes.find(({ command }) => command.includes('model-server/src/main.ts'));
      expect(model).toBeDefined();
      if (model !== undefined) process.kill(model.pid, 'SIGKILL');
      expect(await second.exit).not.toBe(0);
      expect(second.output()).toContain('Unexpected end of the model server: signal SIGKILL');
      expect(survivors(processes)).toEqual([]);
    });
  });
});
