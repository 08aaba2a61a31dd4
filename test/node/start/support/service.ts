/** Runs the real `npm start` for tests: free ports, a home folder of its own, output at hand. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** A line of the process table. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A running `npm start`. */
export interface Service {
  /** Process id of npm. */
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly modelPort: number;
  readonly key: string;
  /** Standard output and error so far. */
  output(): string;
  /** Every process below it, with its command line. */
  processes(): readonly Process[];
  /** Sends a signal to the whole foreground group, as a terminal does on Ctrl-C. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code when it has ended. */
  readonly exit: Promise<number | null>;
  /** Ctrl-C and the end; does nothing when it has ended already. */
  stop(): Promise<void>;
}

/** @returns a folder for ATTUNE_HOME and a function that removes it */
export function temporaryHome(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'attune home '));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** @returns that many ports of 127.0.0.1 on which nothing listens at the moment */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            if (address === null || typeof address === 'string') reject(new Error('no port'));
            else resolve(address.port);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Small Linux images have no `ps`, other systems no `/proc`. */
function readProc(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // It ended while the table was read.
      return [];
    }
  });
}

function readPs(): readonly Process[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || parent === undefined || command === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** @returns every process of this machine but zombies */
export function processTable(): readonly Process[] {
  return existsSync('/proc/self/stat') ? readProc() : readPs();
}

/** @returns the processes below one, at any depth */
function descendants(pid: number): readonly Process[] {
  const table = processTable();
  const below = (parent: number): readonly Process[] =>
    table.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)]);
  return below(pid);
}

/** @returns whether a process with this id is still there */
export function isAlive(pid: number): boolean {
  return processTable().some((row) => row.pid === pid);
}

/**
 * Runs `npm start` and waits until it has said that it is ready.
 *
 * @param home folder for ATTUNE_HOME
 * @throws with its output when it ends before it is ready
 */
export async function startService(home: string): Promise<Service> {
  const [port = 0, modelPort = 0] = await freePorts(2);
  const args = ['start', '--', '--port', String(port), '--model-port', String(modelPort)];
  // A group of its own, so that a Ctrl-C meant for it does not reach the test runner.
  const child: ChildProcess = spawn('npm', args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ATTUNE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm could not be started');
  let output = '';
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const key = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const found = /^demo key: (\S+)$/m.exec(output)?.[1];
      if (found !== undefined && output.includes('Ctrl-C stops everything')) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exit.then((code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // It has ended.
    }
  };
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    port,
    modelPort,
    key,
    output: () => output,
    processes: () => descendants(pid),
    signal,
    exit,
    stop: async () => {
      signal('SIGINT');
      await exit;
    },
  };
}
