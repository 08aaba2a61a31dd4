/** What must hold before anything is started. Each check returns a sentence, or null when all is well. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { MODEL_DIR, ROOT } from './paths.mjs';

/** @returns {string | null} what is missing of the installed packages */
export function checkPackages() {
  const needed = ['wrangler', 'vite', 'tsx', 'node-llama-cpp'];
  const missing = needed.filter((name) => {
    const places = ['node_modules', 'web/node_modules', 'model-server/node_modules'];
    return !places.some((place) => existsSync(join(ROOT, place, name)));
  });
  if (missing.length === 0) return null;
  return `Packages are missing (${missing.join(', ')}). Run "npm ci" first.`;
}

/**
 * Sizes only: the model server notices other damage when it loads the file.
 *
 * @param {string} [dir] folder with a `manifest.json` {files: [{name, bytes}]}
 * @returns {{ok: true, path: string} | {ok: false, message: string}} the first shard
 */
export function findWeights(dir = MODEL_DIR) {
  const where = relative(ROOT, dir);
  let files;
  try {
    files = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).files;
  } catch {
    return {
      ok: false,
      message: `The model's list ${join(where, 'manifest.json')} cannot be read. ${AGAIN}`,
    };
  }
  for (const { name, bytes } of files) {
    const file = join(dir, name);
    if (!existsSync(file)) {
      return { ok: false, message: `The model shard ${join(where, name)} is missing. ${AGAIN}` };
    }
    const { size } = statSync(file);
    if (size !== bytes) {
      const words = `has ${size} bytes instead of ${bytes}`;
      return { ok: false, message: `The model shard ${join(where, name)} ${words}. ${AGAIN}` };
    }
  }
  const first = files
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.gguf'))
    .sort()[0];
  if (first === undefined) return { ok: false, message: `${where} lists no .gguf file. ${AGAIN}` };
  return { ok: true, path: join(dir, first) };
}

const AGAIN = 'Get it again with "git checkout -- model-server/models" or a new clone.';

/**
 * @param {number} port on 127.0.0.1
 * @param {string} flag the option that chooses another one
 * @returns {Promise<string | null>}
 */
export async function checkPort(port, flag) {
  const code = (await answers(port)) ? 'EADDRINUSE' : await tryListen(port);
  switch (code) {
    case null:
      return null;
    case 'EADDRINUSE':
      return `Port ${port} is already in use. Stop what runs there, or choose another one: npm start -- ${flag} ${port < 65_000 ? port + 100 : port - 100}`;
    case 'EACCES':
      return `Port ${port} may not be used without more rights. Choose one above 1023: npm start -- ${flag} 8787`;
    default:
      return `Port ${port} cannot be used (${code}). Choose another one with ${flag}.`;
  }
}

/** Some systems let a second program listen beside one that listens on all addresses. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

function tryListen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(null)),
    );
  });
}
