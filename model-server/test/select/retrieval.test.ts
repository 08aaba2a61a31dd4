import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangesOf } from '../../src/select/exchanges.ts';
import { buildRetrieval, loadRetrieval, readRetrieval } from '../../src/select/retrieval.ts';

const EXCHANGES = [
  { context: 'Yesterday my puppy ran away', reply: 'Have you asked your neighbours about it?' },
  { context: 'An exam is waiting tomorrow', reply: 'How well did you prepare for it?' },
  { context: 'Another puppy chewed shoes', reply: 'Have you asked your neighbours about it?' },
];
const retrieval = () => {
  const read = readRetrieval(buildRetrieval(EXCHANGES));
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-index-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('retrieval', () => {
  it('finds replies to similar messages, in other forms of the words, too', () => {
    expect(retrieval().find('So nervous about these exams', 3)).toEqual([
      'How well did you prepare for it?',
    ]);
    expect(retrieval().find('xylophone', 3)).toEqual([]);
    expect(retrieval().find('', 3)).toEqual([]);
  });

  it('gives at most as many as asked, none twice', () => {
    const query = 'chewed shoes, ran away, exam tomorrow';
    expect(retrieval().find(query, 3)).toHaveLength(2);
    expect(retrieval().find(query, 1)).toHaveLength(1);
  });

  it('answers a query of 16,000 characters', () => {
    expect(retrieval().find(`exam ${'word '.repeat(3_200)}exam`, 1)).toHaveLength(1);
  });

  it.each(['', '{}', 'not json', '{"format":"attune-retrieval-1"}\n{}', '{"format":"other"}\n{}'])(
    'refuses what is no index: %j',
    (text) => {
      const read = readRetrieval(text);
      expect(read.ok ? '' : read.failure.message).toContain('make it anew');
    },
  );

  it('says which file cannot be read', async () => {
    const path = join(folder, 'nowhere.json');
    const read = await loadRetrieval(path);
    expect(read.ok ? '' : read.failure.message).toContain(path);
  });
});

describe('the exchanges of a conversation', () => {
  it('are its usable replies, each with the newest two messages of the person', () => {
    const turns = [
      { role: 'speaker', text: 'First.' },
      { role: 'listener', text: 'My dog did that too.' },
      { role: 'speaker', text: ' Second. ' },
      { role: 'listener', text: 'That sounds really hard.' },
      { role: 'speaker', text: 'Third.' },
      { role: 'listener', text: 'What will you do now?' },
    ] as const;
    expect(exchangesOf({ turns: [...turns] })).toEqual([
      { context: 'First. Second.', reply: 'That sounds really hard.' },
      { context: 'Second. Third.', reply: 'What will you do now?' },
    ]);
  });
});

describe('the command that makes an index', () => {
  const script = fileURLToPath(new URL('../../src/select/build-index.ts', import.meta.url));
  const build = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args]);

  it('reads conversations and writes what the server loads', async () => {
    const [data, out] = [join(folder, 'data.jsonl'), join(folder, 'index.json')];
    const turns = [
      { role: 'speaker', text: 'Somebody stole my bicycle' },
      { role: 'listener', text: 'Did you tell the police?' },
    ];
    await writeFile(data, `${JSON.stringify({ conv_id: 'a', turns })}\n\n`);
    const { stdout } = await build('--data', data, '--out', out);
    expect(JSON.parse(stdout)).toEqual({ exchanges: 1, out });
    const loaded = await loadRetrieval(out);
    expect(loaded.ok && loaded.value.find('a stolen bicycle', 1)).toEqual([
      'Did you tell the police?',
    ]);
    expect((await readFile(out, 'utf8')).startsWith('{"format":')).toBe(true);
  });

  it('names the line that is no conversation, and needs both paths', async () => {
    const data = join(folder, 'bad.jsonl');
    await writeFile(data, '{"turns":[]}\n{"turns":');
    await expect(build('--data', data, '--out', join(folder, 'x'))).rejects.toThrow('bad.jsonl:2');
    await expect(build('--data', data)).rejects.toThrow('usage');
  });
});
