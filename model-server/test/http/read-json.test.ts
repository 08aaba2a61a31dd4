import { describe, expect, it } from 'vitest';
import { ILL_FORMED, WELL_FORMED } from '../../../test/support/adversarial-strings.ts';
import { findIllFormed, parseJson } from '../../src/http/read-json.ts';

const bytes = (text: string) => {
  const buffer = new TextEncoder().encode(text);
  return buffer.buffer;
};

describe('reading JSON', () => {
  it.each(WELL_FORMED)('takes %j unharmed', (text) => {
    expect(parseJson(bytes(JSON.stringify({ text })))).toEqual({ ok: true, value: { text } });
  });

  it.each(ILL_FORMED)('O09 refuses a lone surrogate with its place: %j', ({ text, offset }) => {
    const result = parseJson(bytes(JSON.stringify({ messages: [{ content: text }] })));
    expect(result).toEqual({
      ok: false,
      failure: { kind: 'ill_formed_unicode', param: 'messages.0.content', offset },
    });
  });

  it('O09 finds one in a key, too, and the first of several', () => {
    const found = (value: unknown) => findIllFormed(value);
    expect(found({ a: { '\uD800': 1 } })).toMatchObject({ param: 'a', offset: 0 });
    expect(found({ a: 'x\uD800', b: '\uD800' })).toMatchObject({ param: 'a', offset: 1 });
  });

  it('refuses what is not JSON or not UTF-8 without quoting it', () => {
    for (const body of [bytes('{"secret'), bytes(''), Uint8Array.of(0x22, 0xff, 0x22).buffer]) {
      const result = parseJson(body);
      expect(result.ok ? null : result.failure).toMatchObject({ kind: 'malformed_body' });
      expect(JSON.stringify(result)).not.toContain('secret');
    }
  });

  it('refuses a megabyte of brackets', () => {
    const depth = 500_000;
    const result = parseJson(bytes('['.repeat(depth) + ']'.repeat(depth)));
    expect(result.ok ? null : result.failure).toMatchObject({ kind: 'malformed_body' });
  });
});
