/**
 * Keys of a local start. They travel in files that only this user can read and in environment
 * variables, never on a command line, where every user of the machine could see them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOME } from './paths.mjs';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIR = 0o700;

/** Makes the home folder, for this user only. */
export function makeHome() {
  mkdirSync(join(HOME, 'logs'), { recursive: true, mode: PRIVATE_DIR });
}

/** @returns {string} a token of 192 random bits, safe in URLs, headers and env files */
export function newToken() {
  return randomBytes(24).toString('base64url');
}

/** Writes a file that only this user can read, also when it was there with other rights. */
export function writePrivate(path, text) {
  writeFileSync(path, text, { mode: PRIVATE_FILE });
  chmodSync(path, PRIVATE_FILE);
}

/**
 * The demo key is made once and kept, so that a page or a script that knows it still works after
 * a restart.
 *
 * @returns {string}
 */
export function demoKey() {
  const path = join(HOME, 'demo-key');
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (/^attune_demo_[\w-]{32}$/.test(kept)) return kept;
  } catch {
    // The first start.
  }
  const key = `attune_demo_${newToken()}`;
  writePrivate(path, `${key}\n`);
  return key;
}

/** @returns {string} hex SHA-256, the form in which the Worker knows a key */
export function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Writes the Worker's variables where `wrangler dev --env-file` reads them.
 *
 * @param {Record<string, string>} values without quotes or line breaks
 * @param {number} port of the Worker; part of the name, so that two starts do not share a file
 * @returns {string} path of the file
 */
export function writeWorkerEnv(values, port) {
  const path = join(HOME, `worker-${port}.env`);
  const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"\n`);
  writePrivate(path, lines.join(''));
  return path;
}
