import { describe, expect, it } from 'vitest';
import document from '../../docs/storage.md?raw';
import {
  CRISIS_RETENTION_DAYS,
  DEFAULT_RETENTION_DAYS,
  MAX_RETENTION_DAYS,
  MIN_KV_TTL_SECONDS,
} from '../../src/limits.ts';
import { ttlSeconds } from '../../src/session/archive.ts';
import { keys } from '../../src/session/record.ts';

describe('docs/storage.md', () => {
  it('names every KV key as the code writes it', () => {
    expect(document).toContain(`\`${keys.header('{id}')}\``);
    expect(document).toContain(`\`${keys.safety('{id}')}\``);
    expect(document).toContain(`\`${keys.turn('{id}', 1).replace(/1$/, '{n}')}\``);
  });

  it('states the retention that the code applies', () => {
    expect(document).toContain(`default ${DEFAULT_RETENTION_DAYS}, at most ${MAX_RETENTION_DAYS}`);
    expect(document).toContain(`crisis route at most ${CRISIS_RETENTION_DAYS} days`);
    expect(document).toContain(`TTL under ${MIN_KV_TTL_SECONDS} s`);
  });
});

describe('a TTL', () => {
  it('K08 never falls under the 60 s that KV accepts', () => {
    expect(ttlSeconds(0)).toBe(60);
    expect(ttlSeconds(30)).toBe(2_592_000);
  });
});
