import { describe, expect, it } from 'vitest';
import { bearerCheck } from '../../src/http/auth.ts';

describe('the bearer check', () => {
  it('lets the token in, in any case of the scheme', () => {
    const check = bearerCheck('secret');
    expect(check('Bearer secret')).toBe(true);
    expect(check('bearer secret')).toBe(true);
  });

  it.each([
    undefined,
    '',
    'secret',
    'Bearer',
    'Bearer ',
    'Bearer secre',
    'Bearer secrets',
    'Basic secret',
    'Bearer a secret',
  ])('keeps %j out', (header) => {
    expect(bearerCheck('secret')(header)).toBe(false);
  });

  it('lets everyone in without a token', () => {
    expect(bearerCheck(null)(undefined)).toBe(true);
  });
});
