import { describe, expect, it } from 'vitest';
import { errorResponse } from '../../src/http/failures.ts';

describe('a failure on the wire', () => {
  it('has the shape of OpenAI, a code and the parameter', async () => {
    const response = errorResponse({ kind: 'invalid_value', param: 'stop', message: 'stop: bad' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        message: 'stop: bad',
        type: 'invalid_request_error',
        param: 'stop',
        code: 'invalid_value',
      },
    });
  });

  it('tells when to come back', () => {
    const response = errorResponse({ kind: 'queue_full', retryAfter: 7 });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('tells what cannot be done apart from what failed', async () => {
    const response = errorResponse({ kind: 'not_supported', param: null, message: 'No scores.' });
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { code: 'not_supported', param: null } });
  });

  it('asks for a token in the standard way', () => {
    expect(errorResponse({ kind: 'unauthorized' }).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('says less to the client than to the operator', async () => {
    expect(await errorResponse({ kind: 'internal' }).json()).toMatchObject({
      error: { message: 'The engine failed.', type: 'server_error' },
    });
  });
});
