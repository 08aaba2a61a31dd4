import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { descendants } from '../../../bench/processes.ts';

describe.skipIf(!existsSync('/proc/self/stat'))('descendants', () => {
  it('are found by name below a process, grandchildren too, and not when they are gone', async () => {
    // `cat` ends with its input, and the shell after it.
    const shell = spawn('sh', ['-c', 'cat; true']);
    shell.stdin.write('ready');
    await once(shell.stdout, 'data');
    const cats = await descendants(process.pid, 'cat');
    expect(cats).toHaveLength(1);
    expect(await descendants(shell.pid ?? 0, 'cat')).toEqual(cats);
    expect(await descendants(cats[0] ?? 0, 'cat')).toEqual([]);
    expect(await descendants(process.pid, 'ca')).toEqual([]);
    shell.stdin.end();
    await once(shell, 'close');
    expect(await descendants(process.pid, 'cat')).toEqual([]);
  });
});
