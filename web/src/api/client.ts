/** The calls of the native API that the page makes. */
import type { RankedEmotion } from '../../../src/affect/types.ts';
import type { FinishReason } from '../../../src/turn/events.ts';
import { type PageEvent, readEmotions, readFinish } from './events.ts';
import { type Failure, type Result, readRefusal } from './failure.ts';
import { finite, json, list, record, text } from './narrow.ts';
import { readTurn } from './stream.ts';

/** Longest wait for response headers: the server sends them within about a second. */
const HEADERS_MS = 30_000;
/** Three times the 15 s between two comment frames of a stream. */
const SILENCE_MS = 45_000;

/** A turn that the service remembers. */
export interface StoredTurn {
  readonly turnId: string;
  readonly text: string;
  readonly reply: string;
  readonly finish: FinishReason | null;
  readonly emotions: readonly RankedEmotion[];
  /** The protocol wrote this reply. The helplines shown with it are not stored. */
  readonly crisis: boolean;
}

/** A conversation that the service remembers, oldest turn first. */
export interface StoredSession {
  readonly turns: readonly StoredTurn[];
  /** A message was admitted whose reply is not stored yet. */
  readonly pending: boolean;
  /** ISO 3166-1 alpha-2 country whose helplines are shown, or null. */
  readonly region: string | null;
}

/** A client bound to one API key. Expected failures are values; nothing here throws. */
export interface Client {
  createSession(signal: AbortSignal): Promise<Result<string>>;
  readSession(sessionId: string, signal: AbortSignal): Promise<Result<StoredSession>>;
  /** Sends a message and reads its turn to the end. */
  sendMessage(options: {
    readonly sessionId: string;
    readonly text: string;
    readonly signal: AbortSignal;
    readonly onEvent: (event: PageEvent) => void;
  }): Promise<Result<null>>;
  /** Asks the service to stop writing. Best effort: the connection is closed anyway. */
  stopTurn(sessionId: string, turnId: string): Promise<void>;
}

function readStoredTurn(value: unknown): StoredTurn | null {
  const row = record(value);
  const turnId = text(row?.get('turn_id'));
  const said = text(record(row?.get('user'))?.get('text'));
  if (row === null || turnId === null || said === null) return null;
  const assistant = record(row.get('assistant'));
  return {
    turnId,
    text: said,
    reply: text(assistant?.get('text')) ?? '',
    finish: readFinish(assistant?.get('finish_reason')),
    emotions: readEmotions(row.get('emotions')),
    crisis: record(row.get('safety'))?.get('route') === 'crisis',
  };
}

/**
 * @param key the API key, sent as a bearer token to this origin only
 * @param send the platform's `fetch`
 */
export function createClient(key: string, send: typeof fetch): Client {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  async function request(path: string, init: RequestInit): Promise<Result<Response>> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), HEADERS_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      const response = await send(path, { ...init, headers, signal });
      if (response.ok) return { ok: true, value: response };
      return { ok: false, failure: await readRefusal(response) };
    } catch {
      return { ok: false, failure: lost(init.signal ?? null) };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async createSession(signal) {
      const answer = await request('/v1/sessions', { method: 'POST', body: '{}', signal });
      if (!answer.ok) return answer;
      const body = record(json(await answer.value.text().catch(() => '')));
      const id = text(body?.get('session_id'));
      return id === null
        ? { ok: false, failure: { kind: 'unreachable' } }
        : { ok: true, value: id };
    },

    async readSession(sessionId, signal) {
      const answer = await request(`/v1/sessions/${encodeURIComponent(sessionId)}`, { signal });
      if (!answer.ok) return answer;
      const body = record(json(await answer.value.text().catch(() => '')));
      if (body === null) return { ok: false, failure: lost(signal) };
      const turns = list(body.get('turns'), readStoredTurn);
      const pending = (finite(body.get('last_n')) ?? 0) > turns.length;
      return { ok: true, value: { turns, pending, region: text(body.get('region')) } };
    },

    async sendMessage({ sessionId, text: message, signal, onEvent }) {
      const answer = await request(`/v1/sessions/${encodeURIComponent(sessionId)}/messages`, {
        method: 'POST',
        body: JSON.stringify({ text: message, stream: true }),
        signal,
      });
      if (!answer.ok) return answer;
      const { body } = answer.value;
      const ended = body !== null && (await readTurn(body, { silenceMs: SILENCE_MS, onEvent }));
      if (ended) return { ok: true, value: null };
      return { ok: false, failure: signal.aborted ? { kind: 'aborted' } : { kind: 'cut' } };
    },

    async stopTurn(sessionId, turnId) {
      const path = `/v1/sessions/${encodeURIComponent(sessionId)}/turns/${encodeURIComponent(turnId)}/stop`;
      // keepalive: the request outlives a page that is being closed.
      await request(path, { method: 'POST', body: '{}', keepalive: true });
    },
  };
}

function lost(signal: AbortSignal | null): Failure {
  return signal?.aborted ? { kind: 'aborted' } : { kind: 'unreachable' };
}
