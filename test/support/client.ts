/** A small client of the Worker under test, with the key that the test run made. */
import { SELF } from 'cloudflare:test';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { inject } from 'vitest';
import type { Fault } from './node/fault-proxy.ts';

const ORIGIN = 'https://attune.test';

export function api(
  path: string,
  init: RequestInit & { key?: string | null } = {},
): Promise<Response> {
  const { key = inject('apiKey'), ...rest } = init;
  const headers = new Headers(rest.headers);
  if (key !== null) headers.set('authorization', `Bearer ${key}`);
  if (rest.body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', 'application/json');
  }
  return SELF.fetch(`${ORIGIN}${path}`, { ...rest, headers });
}

export function post(path: string, body: unknown): Promise<Response> {
  return api(path, { method: 'POST', body: JSON.stringify(body) });
}

/** Create a session and return its id. */
export async function newSession(body: object = {}): Promise<string> {
  const response = await post('/v1/sessions', body);
  const { session_id } = await response.json<{ session_id: string }>();
  return session_id;
}

export function send(session: string, body: object): Promise<Response> {
  return post(`/v1/sessions/${session}/messages`, body);
}

export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into event data of every shape
  readonly data: any;
}

/** All events of a streamed turn, to its end. */
export async function eventsOf(response: Response): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  if (response.body === null) return events;
  const parsed = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of parsed) {
    events.push({ id: id ?? '', event: event ?? '', data: JSON.parse(data) });
  }
  return events;
}

export function textOf(events: readonly SeenEvent[]): string {
  return events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => data.text)
    .join('');
}

/** Choose how the way to the model server fails; `{ mode: 'pass' }` heals it. */
export async function setFault(fault: Fault): Promise<void> {
  await fetch(`${inject('modelServerUrl')}/__fault`, {
    method: 'PUT',
    body: JSON.stringify(fault),
  });
}

/** The last body that the Worker sent to the model server. */
export async function lastUpstreamBody(): Promise<{
  messages: { role: string; content: string }[];
}> {
  const response = await fetch(`${inject('modelServerUrl')}/__last`);
  return response.json();
}
