/** Server-sent events as text (WHATWG HTML, section 9.2). */
import type { TurnEvent } from '../turn/events.ts';

/** A comment: ignored by every parser, keeps the connection alive (S02, S05). */
export const KEEP_ALIVE_FRAME = ': keep-alive\n\n';

/** Where an event stands: `<epoch>.<turn>.<n>`, n counted from 0 in its turn (S17, S19). */
export interface FrameId {
  readonly epoch: number;
  readonly turn: number;
  readonly n: number;
}

/** One event as a frame. JSON has no raw line break, so one `data:` line is enough. */
export function frame(event: TurnEvent, id: FrameId): string {
  return `id: ${id.epoch}.${id.turn}.${id.n}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Asks nginx-like proxies not to collect the stream (S03, S04).
  'x-accel-buffering': 'no',
};
