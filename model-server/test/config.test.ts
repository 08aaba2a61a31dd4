import { describe, expect, it } from 'vitest';
import { DEFAULT_MODEL_PATH, readConfig } from '../src/config.ts';

describe('the configuration', () => {
  it('needs nothing: the committed weights, everything else by default', () => {
    expect(readConfig({})).toEqual({ ok: true, value: { modelPath: DEFAULT_MODEL_PATH } });
  });

  it('reads all variables; empty ones count as unset', () => {
    const env = {
      PORT: '9000',
      HOST: '0.0.0.0',
      MODEL_PATH: '/m',
      MODEL_SERVER_TOKEN: 't',
      MODEL_SEQUENCES: '2',
      MODEL_QUEUE_LENGTH: '0',
      MODEL_CONTEXT_SIZE: '512',
      MODEL_THREADS: '3',
      MODEL_GPU: 'auto',
      MODEL_SHUTDOWN_MS: '100',
    };
    expect(readConfig(env)).toEqual({
      ok: true,
      value: {
        port: 9000,
        host: '0.0.0.0',
        modelPath: '/m',
        token: 't',
        sequences: 2,
        queueLength: 0,
        contextSize: 512,
        threads: 3,
        gpu: 'auto',
        shutdownMs: 100,
      },
    });
    expect(readConfig({ PORT: '', MODEL_PATH: '', MODEL_SERVER_TOKEN: '' })).toEqual(
      readConfig({}),
    );
  });

  it('reads a remote engine, whose URL it needs', () => {
    const env = { MODEL_ENGINE: 'openai-completions', ENGINE_URL: 'http://gpu:8000/v1' };
    expect(readConfig(env)).toEqual({
      ok: true,
      value: {
        modelPath: DEFAULT_MODEL_PATH,
        remote: { url: 'http://gpu:8000/v1', scoring: 'auto' },
      },
    });
    const more = {
      ENGINE_TOKEN: 'secret',
      ENGINE_MODEL: 'attune',
      ENGINE_SCORING: 'false',
      ENGINE_TIMEOUT_MS: '5000',
      MODEL_RETRIEVAL_INDEX: '/index.json',
    };
    expect(readConfig({ ...env, ...more })).toMatchObject({
      value: {
        retrievalIndex: '/index.json',
        remote: { token: 'secret', model: 'attune', scoring: false, timeoutMs: 5_000 },
      },
    });
    const without = readConfig({ MODEL_ENGINE: 'openai-completions' });
    expect(without.ok ? '' : without.failure.message).toMatch(/^ENGINE_URL: must be set/);
  });

  it('leaves the engine in the process, whatever else is set, unless told otherwise', () => {
    expect(readConfig({ ENGINE_URL: 'http://gpu:8000' })).toEqual(readConfig({}));
  });

  it.each([
    ['ENGINE_URL', 'gpu:8000'],
    ['ENGINE_URL', 'file:///etc/passwd'],
    ['ENGINE_URL', 'http://someone:secret@gpu:8000/v1'],
    ['ENGINE_URL', 'http://someone@gpu:8000/v1'],
    ['ENGINE_URL', 'http://gpu:8000/v1?key=secret'],
    ['ENGINE_URL', 'http://gpu:8000/v1#secret'],
    ['ENGINE_TOKEN', 'se\ncret'],
    ['ENGINE_TOKEN', 'secret\n'],
    ['ENGINE_TOKEN', 'sécret'],
    ['ENGINE_TOKEN', 'se cret'],
    ['MODEL_ENGINE', 'ollama'],
    ['ENGINE_SCORING', 'perhaps'],
    ['ENGINE_TIMEOUT_MS', '99'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['MODEL_SEQUENCES', '0'],
    ['MODEL_CONTEXT_SIZE', '1000'],
    ['MODEL_GPU', 'maybe'],
  ])('names the variable when %s is %j, and not its value', (name, value) => {
    const result = readConfig({ [name]: value });
    const message = result.ok ? '' : result.failure.message;
    expect(message).toMatch(new RegExp(`^${name}: `));
    expect(message).not.toContain(value);
  });
});
