import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { run } from '../src/run.ts';
import type { LogRecord } from '../src/server.ts';

/** What a run that cannot start logs, and its exit codes. */
async function failedRun(env: Record<string, string>) {
  const log: LogRecord[] = [];
  const codes: number[] = [];
  await run({
    env: { PORT: '0', ...env },
    log: (record) => log.push(record),
    onStopSignal: () => {},
    exit: (code) => codes.push(code),
  });
  return { log, codes };
}

describe('a server that cannot start', () => {
  it('says in one line what is wrong with the weights and ends with 1', async () => {
    const { log, codes } = await failedRun({
      MODEL_PATH: '/nowhere/attune-00001-of-00002.gguf',
      MODEL_SERVER_TOKEN: 'secret',
    });
    expect(codes).toEqual([1]);
    expect(log).toEqual([
      { level: 'error', event: 'cannot_start', message: expect.stringContaining('Set MODEL_PATH') },
    ]);
    expect(JSON.stringify(log)).not.toContain('secret');
  });

  it('names the variable of a bad configuration', async () => {
    const { log, codes } = await failedRun({ MODEL_SEQUENCES: 'many' });
    expect(codes).toEqual([1]);
    expect(log).toEqual([
      {
        level: 'error',
        event: 'bad_configuration',
        message: expect.stringMatching(/^MODEL_SEQUENCES: /),
      },
    ]);
  });

  it('says what to do about a port that is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const { log, codes } = await failedRun({ PORT: String(port), MODEL_SERVER_TOKEN: 'secret' });
    await new Promise((resolve) => taken.close(resolve));
    expect(codes).toEqual([1]);
    expect(log.at(-1)).toMatchObject({
      event: 'cannot_start',
      message: expect.stringContaining('set PORT'),
    });
  });
});
