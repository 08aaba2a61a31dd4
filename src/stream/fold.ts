/** The JSON form of a turn: its events folded into one object. */
import { EventSourceParserStream } from 'eventsource-parser/stream';

interface FoldedTurn {
  readonly text: string;
  readonly [event: string]: unknown;
}

/**
 * Read a turn's server-sent events to their end.
 * @returns the turn, or null when the stream ended with `error` or without a terminal event.
 */
export async function foldTurn(frames: ReadableStream<Uint8Array>): Promise<FoldedTurn | null> {
  const turn: Record<string, unknown> = { affect: null, safety: null, plan: null };
  let text = '';
  let done = false;
  const events = frames
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    const value: unknown = JSON.parse(data);
    if (event === 'delta') text += deltaText(value);
    else if (event === 'turn' || event === 'done') Object.assign(turn, value);
    else if (event !== undefined) turn[event] = value;
    done ||= event === 'done';
  }
  return done ? { ...turn, text } : null;
}

function deltaText(value: unknown): string {
  return typeof value === 'object' && value !== null && 'text' in value ? String(value.text) : '';
}
