import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { halfOf, historyOf, readDialogues } from '../../../eval/dialogues.ts';
import report from '../../../model-server/training/affect/splits/report.txt?raw';
import tune from '../../../model-server/training/affect/splits/tune.txt?raw';

async function fileOf(...lines: string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'attune-')), 'data.jsonl');
  await writeFile(file, lines.join('\n'));
  return file;
}

const conversation = (id: string) =>
  JSON.stringify({
    conv_id: id,
    emotion: 'sad',
    turns: [
      { role: 'speaker', text: 'a' },
      { role: 'listener', text: 'b' },
    ],
  });

describe('the halves of the validation split', () => {
  it('are those of the committed lists', () => {
    expect(new Set(tune.trim().split('\n').map(halfOf))).toEqual(new Set(['tune']));
    expect(new Set(report.trim().split('\n').map(halfOf))).toEqual(new Set(['report']));
  });

  it('are chosen before the limit is applied', async () => {
    const ids = ['hit:1_conv:1', 'hit:1_conv:2', 'hit:1_conv:3', 'hit:1_conv:4', 'hit:1_conv:5'];
    const wanted = ids.filter((id) => halfOf(id) === 'report').slice(0, 1);
    const file = await fileOf(...ids.map(conversation));
    const read = await readDialogues(file, { half: 'report', limit: 1 });
    expect(read.map(({ conv_id }) => conv_id)).toEqual(wanted);
  });
});

describe('a dialogue', () => {
  it('that cannot be read is named by its line, not by its text', async () => {
    const file = await fileOf(conversation('x'), '{"secret": 1}');
    await expect(readDialogues(file)).rejects.toThrow(/data\.jsonl:2: not an Empathetic/);
  });

  it('gives the messages before a turn', async () => {
    const [dialogue] = await readDialogues(await fileOf(conversation('x')));
    if (dialogue === undefined) throw new Error('nothing was read');
    expect(historyOf(dialogue, 1)).toEqual([{ role: 'user', content: 'a' }]);
  });
});
