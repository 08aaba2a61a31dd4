import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/api/failure.ts';
import { failureWords } from '../../src/words/failure.ts';

function refused(status: number, more: { message?: string; retryAfter?: number } = {}): Failure {
  return {
    kind: 'refused',
    status,
    code: 'some_code',
    message: more.message ?? '',
    retryAfter: more.retryAfter ?? null,
    resources: [],
  };
}

describe('a failure in words', () => {
  test('names the wait that the service asked for', () => {
    expect(failureWords(refused(429, { retryAfter: 7 }))).toContain('in about 7 seconds');
    expect(failureWords(refused(429, { retryAfter: 600 }))).toContain('in about 10 minutes');
    expect(failureWords(refused(429))).toContain('in a moment');
  });

  test('repeats what the service said about a message that it could not take', () => {
    const message = 'text must be at most 16000 characters';
    expect(failureWords(refused(400, { message }))).toContain(message);
  });

  test('says nothing of the inside of a broken service', () => {
    expect(failureWords(refused(500, { message: 'TypeError: x' }))).not.toContain('TypeError');
  });

  test.each([
    { kind: 'unreachable' },
    { kind: 'cut' },
    { kind: 'turn', code: 'some_code', message: 'raw', retryAfter: null },
    refused(401),
    refused(404),
    refused(503),
  ] as const)('is whole sentences without codes for $kind $status', (failure) => {
    const words = failureWords(failure);
    expect(words).toMatch(/^[A-Z].*\.$/);
    expect(words).not.toMatch(/some_code|raw|\d{3}/);
  });
});
