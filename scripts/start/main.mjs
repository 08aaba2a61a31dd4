/** `npm start` from the checks to Ctrl-C. */
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackages, checkPort, findWeights } from './checks.mjs';
import { killChildren, lastLines, startChild, stopChildren } from './children.mjs';
import { readOptions, USAGE } from './options.mjs';
import { buildPage, pageIsStale } from './page.mjs';
import { watchNpm } from './parent.mjs';
import { HOME, ROOT } from './paths.mjs';
import { createProgress } from './progress.mjs';
import { waitUntilReady } from './ready.mjs';
import { demoKey, makeHome, newToken, sha256, writeWorkerEnv } from './secrets.mjs';
import { welcome } from './welcome.mjs';

/** Loading the weights takes seconds; on a small, busy machine it may take a minute. */
const START_MS = 180_000;

/** One Ctrl-C reaches us twice, from the terminal and from npm: this close together it is one. */
const ECHO_MS = 1_000;

/** @param {string[]} argv arguments after the script's name */
export async function main(argv) {
  const options = readOptions(argv);
  if (!options.ok) return fail(options.message);
  if (options.help) return console.log(USAGE);

  const trouble =
    checkPackages() ??
    (await checkPort(options.port, '--port')) ??
    (await checkPort(options.modelPort, '--model-port'));
  if (trouble !== null) return fail(trouble);
  const weights = chooseWeights();
  if (!weights.ok) return fail(weights.message);

  if (pageIsStale()) {
    console.log('Building the page …');
    const broken = buildPage();
    if (broken !== null) return fail(broken);
  }
  makeHome();
  await run({ ...options, modelPath: weights.path });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

function chooseWeights() {
  const path = process.env.MODEL_PATH;
  if (path === undefined || path === '') return findWeights();
  if (existsSync(path)) return { ok: true, path };
  return { ok: false, message: `MODEL_PATH names a file that is not there: ${path}` };
}

async function run({ port, modelPort, modelPath }) {
  const key = demoKey();
  const token = newToken();
  const modelUrl = `http://127.0.0.1:${modelPort}`;
  const url = `http://127.0.0.1:${port}`;
  const envFile = writeWorkerEnv(
    {
      MODEL_SERVER_URL: modelUrl,
      MODEL_SERVER_TOKEN: token,
      API_KEY_SHA256: sha256(key),
      DEMO_KEY: key,
    },
    port,
  );
  const children = [];
  const over = new AbortController();
  let stopping = false;
  let stoppingSince = 0;

  // The last resort on every way out, an exception included.
  process.on('exit', () => {
    killChildren(children);
    rmSync(envFile, { force: true });
  });
  /** Ends everything once; later calls change nothing. */
  const finish = async (code) => {
    if (stopping) return;
    stopping = true;
    stoppingSince = Date.now();
    over.abort();
    await stopChildren(children);
    children.length = 0;
    process.exit(code);
  };
  const stop = () => {
    if (stopping) {
      // A second Ctrl-C does not wait any longer.
      if (Date.now() - stoppingSince > ECHO_MS) process.exit(130);
      return;
    }
    progress.end();
    console.log('\nStopping …');
    void finish(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(stop);
  // A terminal or an npm that is gone cannot be written to; that must not keep us from stopping.
  for (const out of [process.stdout, process.stderr]) out.on('error', () => undefined);
  const progress = createProgress(process.stdout);

  children.push(
    startChild({
      name: 'the model server',
      args: modelServerArgs(),
      env: {
        HOST: '127.0.0.1',
        PORT: String(modelPort),
        MODEL_PATH: modelPath,
        MODEL_SERVER_TOKEN: token,
      },
      logName: 'model-server.log',
    }),
    startChild({
      name: 'the Worker (wrangler dev)',
      args: workerArgs(port, envFile),
      env: WRANGLER_ENV,
      logName: 'worker.log',
    }),
  );
  for (const child of children) {
    void child.ended.then((how) => {
      if (stopping) return;
      progress.end();
      console.error(`\nUnexpected end of ${child.name}: ${how}. Its last lines:`);
      console.error(lastLines(child));
      console.error(`The whole log is ${relative(process.cwd(), child.log)}. Stopping …`);
      void finish(1);
    });
  }

  const limits = { until: Date.now() + START_MS, signal: over.signal };
  progress.say('Loading the language model');
  const model = await waitUntilReady(`${modelUrl}/readyz`, limits);
  if (model) progress.say('Starting the Worker and the emotion model');
  const worker = model && (await waitUntilReady(`${url}/readyz`, limits));
  progress.end();
  if (stopping) return;
  if (!worker) {
    const late = model ? children[1] : children[0];
    console.error(`Not ready after ${START_MS / 1000} s: ${late.name}. Its last lines:`);
    console.error(lastLines(late));
    return finish(1);
  }
  console.log(welcome({ url, key, logs: relative(process.cwd(), join(HOME, 'logs')) }));
}

/** One process instead of the two of the `tsx` command: signals need no forwarding. */
function modelServerArgs() {
  const tsx = createRequire(join(ROOT, 'model-server', 'package.json')).resolve('tsx');
  return ['--import', pathToFileURL(tsx).href, join(ROOT, 'model-server', 'src', 'main.ts')];
}

function workerArgs(port, envFile) {
  const wrangler = createRequire(join(ROOT, 'package.json')).resolve('wrangler/package.json');
  return [
    join(dirname(wrangler), 'bin', 'wrangler.js'),
    'dev',
    ...['--config', join(ROOT, 'wrangler.toml')],
    ...['--ip', '127.0.0.1', '--port', String(port)],
    ...['--env-file', envFile],
    ...['--persist-to', join(HOME, 'state')],
    '--show-interactive-dev-session=false',
  ];
}

/** Nothing leaves this machine: no usage figures, no look-up of its place, no version check. */
const WRANGLER_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // A person's own settings for deploying must not choose another environment here.
  CLOUDFLARE_ENV: '',
  WRANGLER_LOG_PATH: join(HOME, 'logs', 'wrangler'),
  WRANGLER_REGISTRY_PATH: join(HOME, 'registry'),
  WRANGLER_CACHE_DIR: join(HOME, 'cache'),
  FORCE_COLOR: '0',
};
