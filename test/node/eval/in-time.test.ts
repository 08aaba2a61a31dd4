import { describe, expect, it, vi } from 'vitest';
import { ended, inTime } from '../../../eval/in-time.ts';

const NEVER = new Promise<never>(() => {});

describe('waiting that ends', () => {
  it('gives what the promise gives, and its error', async () => {
    const limit = { ms: 60_000, what: 'it' };
    expect(await inTime(Promise.resolve(3), limit)).toBe(3);
    await expect(inTime(Promise.reject(new Error('broken')), limit)).rejects.toThrow(/^broken$/);
  });

  it('says what was waited for when the time is over', async () => {
    vi.useFakeTimers();
    try {
      const waiting = inTime(NEVER, { ms: 30_000, what: 'the probe' }).catch(String);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await waiting).toBe('Error: the probe took longer than 30 s');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is no error for an ending that hangs or fails', async () => {
    vi.useFakeTimers();
    try {
      const closing = ended(NEVER);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await closing).toBeUndefined();
      expect(await ended(Promise.reject(new Error('gone')))).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});
