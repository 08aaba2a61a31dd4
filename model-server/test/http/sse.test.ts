import { describe, expect, it } from 'vitest';
import { eventStream } from '../../src/http/sse.ts';

const LONG = 1_000_000;
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe('an event stream', () => {
  it('S03 speaks before there is anything to say', async () => {
    const stream = eventStream({
      keepAliveMs: LONG,
      onCancel: () => {},
      write: () => new Promise(() => {}),
    });
    const reader = stream.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(': queued\n\n');
    await reader.cancel();
  });

  it('S02 S05 keeps a silent stream alive with comments until it ends', async () => {
    let finish = () => {};
    const stream = eventStream({
      keepAliveMs: 1,
      onCancel: () => {},
      write: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const decoder = new TextDecoder();
    let seen = '';
    for await (const bytes of stream) {
      seen += decoder.decode(bytes, { stream: true });
      if (seen.split(': keep-alive\n\n').length === 4) finish();
    }
    expect(seen).toMatch(/^: queued\n\n(: keep-alive\n\n){3,}$/);
  });

  it('writes JSON frames that no line break can split', async () => {
    const stream = eventStream({
      keepAliveMs: LONG,
      onCancel: () => {},
      write: async (out) => {
        out.data({ text: 'a\n\nb\r\u2028' });
        out.done();
      },
    });
    expect(await textOf(stream)).toBe(
      `: queued\n\ndata: ${JSON.stringify({ text: 'a\n\nb\r\u2028' })}\n\ndata: [DONE]\n\n`,
    );
  });

  it('tells when the client leaves, and swallows what is written afterwards', async () => {
    let cancelled = false;
    let finish = () => {};
    const written = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stream = eventStream({
      keepAliveMs: LONG,
      onCancel: () => {
        cancelled = true;
      },
      write: async (out) => {
        await written;
        out.data('too late');
      },
    });
    await stream.cancel();
    finish();
    await written;
    expect(cancelled).toBe(true);
  });
});
