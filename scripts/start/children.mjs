/** Child processes that end with us, grandchildren included. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOME, ROOT } from './paths.mjs';

/** A child gets this long to end by itself before it is killed. */
const GRACE_MS = 5_000;
const LOOK_MS = 50;

/**
 * @typedef {object} Child
 * @property {string} name in words, for messages
 * @property {number} pid also the id of its process group
 * @property {string} log path of its log
 * @property {Promise<string>} ended how it ended, in words
 */

/**
 * Starts a Node script in a process group of its own: `wrangler dev` starts workerd, which would
 * outlive it, and a Ctrl-C in the terminal reaches only our own group, so that we decide the order.
 *
 * @param {{name: string, args: string[], env: Record<string, string>, logName: string}} options
 * @returns {Child}
 */
export function startChild({ name, args, env, logName }) {
  const log = join(HOME, 'logs', logName);
  const out = openSync(log, 'w', 0o600);
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `signal ${signal}` : `exit code ${code}`),
    );
  });
  return { name, pid: child.pid ?? 0, log, ended };
}

/** @returns {boolean} whether a process of the child's group is left */
function signalGroup(child, signal) {
  if (child.pid === 0) return false;
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch (error) {
    // EPERM: there is one, of another user (it changed its rights); anything else: none is left.
    return error.code === 'EPERM';
  }
}

/** Kills every process of the children's groups at once. */
export function killChildren(children) {
  for (const child of children) signalGroup(child, 'SIGKILL');
}

/**
 * Asks the children to end, waits until no process of their groups is left, and kills what is
 * left after five seconds.
 */
export async function stopChildren(children) {
  for (const child of children) signalGroup(child, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    if (!children.some((child) => signalGroup(child, 0))) return;
    if (Date.now() > deadline) return killChildren(children);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** @returns {string} the last lines of a child's log, indented */
export function lastLines(child, count = 15) {
  try {
    const lines = readFileSync(child.log, 'utf8').trimEnd().split('\n').slice(-count);
    return lines.map((line) => `  ${line}`).join('\n');
  } catch {
    return '';
  }
}
