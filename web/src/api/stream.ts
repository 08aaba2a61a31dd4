/** From the bytes of a response to the events of a turn. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type PageEvent, readEvent } from './events.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A pass-through that fails when nothing arrives for a while. The server sends a comment frame at
 * least every 15 s, so silence means a dead connection that TCP has not noticed yet.
 *
 * @param silenceMs longest wait between two chunks, in milliseconds
 * @returns the stream, and `stop`, which ends the wait: a cancelled stream is not told so
 */
function failOnSilence(silenceMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (controller: TransformStreamDefaultController<Bytes>) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.error(new Error('silent stream')), silenceMs);
  };
  const stream = new TransformStream<Bytes, Bytes>({
    start: restart,
    transform(chunk, controller) {
      restart(controller);
      controller.enqueue(chunk);
    },
  });
  return { stream, stop: () => clearTimeout(timer) };
}

/**
 * Reads one turn. `TextDecoderStream` keeps the bytes of a cut character between chunks, and the
 * parser keeps the rest of a cut frame.
 *
 * @param body the body of a `text/event-stream` response
 * @param options `silenceMs`: see {@link failOnSilence}; `onEvent`: called in order, the terminal
 *   event last
 * @returns true when a terminal event came, false when the stream ended, broke or fell silent
 *   before one; never throws
 */
export async function readTurn(
  body: ReadableStream<Bytes>,
  options: { readonly silenceMs: number; readonly onEvent: (event: PageEvent) => void },
): Promise<boolean> {
  const watch = failOnSilence(options.silenceMs);
  const reader = body
    .pipeThrough(watch.stream)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const event = readEvent(value.event ?? '', value.data);
      if (event === null) continue;
      options.onEvent(event);
      if (event.event === 'done' || event.event === 'error') return true;
    }
  } catch {
    return false;
  } finally {
    watch.stop();
    // After the terminal event nothing of interest follows; after an error this is a no-op.
    await reader.cancel().catch(() => undefined);
  }
}
