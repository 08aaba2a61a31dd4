import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runStart } from './support/command.ts';
import { freePorts, ROOT } from './support/service.ts';

describe('a port that is taken', () => {
  let server: Server;
  let taken = 0;
  let free = 0;

  beforeAll(async () => {
    [taken = 0, free = 0] = await freePorts(2);
    server = createServer();
    await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each(['--port', '--model-port'])('%s is named with its number and the way out', (flag) => {
    const other = flag === '--port' ? '--model-port' : '--port';
    const { code, output } = runStart([flag, String(taken), other, String(free)]);
    expect(code).toBe(1);
    expect(output).toContain(`Port ${taken} is already in use`);
    expect(output).toContain(`npm start -- ${flag} `);
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe('a wrong command line', () => {
  test.each([
    [['--port', 'http'], '--port takes a number'],
    [['--port', '0'], '--port takes a number'],
    [['--model-port', '65536'], '--model-port takes a number'],
    [['--port', '9000', '--model-port', '9000'], 'must differ'],
    [['--prot', '9000'], '--model-port M'],
  ])('%j is answered with what would be right', (args, words) => {
    const { code, output } = runStart(args);
    expect(code).toBe(1);
    expect(output).toContain(words);
  });

  test('--help tells the options and starts nothing', () => {
    const { code, output } = runStart(['--help']);
    expect(code).toBe(0);
    expect(output).toContain('npm start [-- --port N --model-port M]');
  });
});

describe('a Node that is too old', () => {
  test.each(['18.19.0', '20.11.1'])('%s is told which one is needed', (version) => {
    // The check reads process.versions, which another version of Node would fill differently.
    const pretend = `Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    const { code, output } = runStart([], {
      node: ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`],
    });
    expect(code).toBe(1);
    expect(output).toContain(`needs Node 20.20 or newer; this is Node ${version}`);
  });
});

describe('weights that are not whole', () => {
  const roots: string[] = [];

  /** A copy of the scripts in a folder with blanks in its name, with weights of its own. */
  function copyWith(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), 'a clone with blanks '));
    roots.push(root);
    const models = join(root, 'model-server', 'models', 'attune-135m');
    mkdirSync(models, { recursive: true });
    mkdirSync(join(root, 'web'));
    cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
    for (const place of ['node_modules', 'web/node_modules', 'model-server/node_modules']) {
      if (existsSync(join(ROOT, place))) symlinkSync(join(ROOT, place), join(root, place));
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(models, name), text);
    return root;
  }

  async function start(root: string) {
    const [port = 0, modelPort = 0] = await freePorts(2);
    return runStart(['--port', String(port), '--model-port', String(modelPort)], { root });
  }

  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
  });

  const manifest = JSON.stringify({
    files: [
      { name: 'model-00001-of-00002.gguf', bytes: 5, sha256: '' },
      { name: 'model-00002-of-00002.gguf', bytes: 5, sha256: '' },
    ],
  });

  test('a missing shard is named', async () => {
    const root = copyWith({ 'manifest.json': manifest, 'model-00001-of-00002.gguf': 'whole' });
    const { code, output } = await start(root);
    expect(code).toBe(1);
    expect(output).toContain('attune-135m/model-00002-of-00002.gguf is missing');
  });

  test('a truncated shard is named with both sizes', async () => {
    const root = copyWith({
      'manifest.json': manifest,
      'model-00001-of-00002.gguf': 'who',
      'model-00002-of-00002.gguf': 'whole',
    });
    const { code, output } = await start(root);
    expect(code).toBe(1);
    expect(output).toContain('model-00001-of-00002.gguf has 3 bytes instead of 5');
  });

  test('a missing list of shards is named', async () => {
    const { code, output } = await start(copyWith({}));
    expect(code).toBe(1);
    expect(output).toContain('manifest.json cannot be read');
  });

  test('weights chosen by MODEL_PATH that are not there are named', async () => {
    const [port = 0, modelPort = 0] = await freePorts(2);
    const { code, output } = runStart(['--port', String(port), '--model-port', String(modelPort)], {
      modelPath: '/nowhere/model.gguf',
    });
    expect(code).toBe(1);
    expect(output).toContain('MODEL_PATH names a file that is not there: /nowhere/model.gguf');
  });

  test('missing packages are named with the command that brings them', async () => {
    const root = copyWith({ 'manifest.json': manifest });
    rmSync(join(root, 'node_modules'));
    const { code, output } = await start(root);
    expect(code).toBe(1);
    expect(output).toContain('Run "npm ci" first');
  });
});
