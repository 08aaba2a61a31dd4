import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Host, run } from '../src/run.ts';
import type { LogRecord } from '../src/server.ts';

/** What a run that cannot start logs, and its exit codes. */
async function failedRun(env: Record<string, string>, start?: Host['start']) {
  const log: LogRecord[] = [];
  const codes: number[] = [];
  await run({
    env: { PORT: '0', ...env },
    log: (record) => log.push(record),
    onStopSignal: () => {},
    exit: (code) => codes.push(code),
    ...(start === undefined ? {} : { start }),
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

  it.each([
    ['is not of this machine', '203.0.113.5'],
    ['is no name at all', 'x'.repeat(70)],
  ])('says what to do about a host that %s, without its value', async (_name, host) => {
    const { log, codes } = await failedRun({ HOST: host, MODEL_SERVER_TOKEN: 'secret' });
    expect(codes).toEqual([1]);
    expect(log).toEqual([
      { level: 'error', event: 'cannot_start', message: expect.stringMatching(/set HOST/) },
    ]);
    expect(JSON.stringify(log)).not.toContain(host);
  });

  it('throws what nobody foresaw', async () => {
    const bug = new TypeError('a bug');
    await expect(failedRun({}, () => Promise.reject(bug))).rejects.toBe(bug);
  });
});

describe('a server whose engine can never come up', () => {
  it('stops and ends with 1, so that whoever watches it starts it anew', async () => {
    let closed = 0;
    let giveUp = () => {};
    const hopeless = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const server = {
      url: 'http://127.0.0.1:1',
      port: 1,
      engineIsReady: () => false,
      hopeless,
      close: async () => {
        closed++;
      },
    };
    const log: LogRecord[] = [];
    const ended = new Promise<number>((resolve, reject) => {
      run({
        env: {},
        log: (record) => log.push(record),
        onStopSignal: () => {},
        exit: resolve,
        start: async () => server,
      }).then(giveUp, reject);
    });
    expect(await ended).toBe(1);
    expect(closed).toBe(1);
    expect(log[0]).toMatchObject({ event: 'waiting_for_engine' });
    expect(log.at(-1)).toMatchObject({ level: 'error', event: 'cannot_start' });
  });
});
