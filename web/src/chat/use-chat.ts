/** The conversation as a hook: the reducer, the client and what runs between them. */
import { useCallback, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import { readHelp } from '../api/help.ts';
import { forget, recall, remember } from '../api/storage.ts';
import { type Action, type ChatState, EMPTY_CHAT, isBusy, reduce } from './state.ts';

/** localStorage: which conversation to show again after a reload. Holds an id, no text. */
const SESSION_NAME = 'attune.session';
/** A reply that was under way at the reload is looked for this often … */
const PENDING_MS = 1_500;
/** … and this many times: about as long as a turn may run. */
const PENDING_TRIES = 40;

/** How far the page is with fetching the earlier conversation. */
export type Restoring =
  | { readonly phase: 'idle' | 'loading' | 'waiting' | 'gone' }
  | { readonly phase: 'failed'; readonly failure: Failure };

export interface Chat {
  readonly state: ChatState;
  readonly busy: boolean;
  readonly restoring: Restoring;
  /** Changes when the conversation is replaced as a whole, not when a turn is added. */
  readonly epoch: number;
  /** The conversation left by `startNew`, to which `goBack` returns. */
  readonly previous: string | null;
  send(text: string): void;
  stop(): void;
  /** Sends the message of a failed turn again. */
  retry(id: string): void;
  /** Takes a failed turn out of the conversation. */
  remove(id: string): void;
  restore(): void;
  /** Shows the helplines; false where they could not be loaded. */
  showHelp(): Promise<boolean>;
  startNew(): void;
  goBack(): void;
}

interface Running {
  readonly controller: AbortController;
  turnId: string | null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * @param client null until a key is known; nothing is sent before that
 * @param onKeyRefused called when the service does not accept the key (any more)
 */
export function useChat(client: Client | null, onKeyRefused: () => void): Chat {
  const [state, dispatch] = useReducer<ChatState, Action>(reduce, EMPTY_CHAT);
  const [restoring, setRestoring] = useState<Restoring>({ phase: 'idle' });
  const [epoch, setEpoch] = useState(0);
  const [previous, setPrevious] = useState<string | null>(null);
  const session = useRef<string | null>(recall('device', SESSION_NAME));
  const running = useRef<Running | null>(null);
  const counter = useRef(0);

  const open = useCallback((id: string | null) => {
    session.current = id;
    if (id === null) forget('device', SESSION_NAME);
    else remember('device', SESSION_NAME, id);
  }, []);

  const refused = useCallback(
    (failure: Failure) => {
      if (failure.kind !== 'refused') return;
      if (failure.status === 404) open(null);
      if (failure.status === 401 || failure.status === 403) onKeyRefused();
    },
    [open, onKeyRefused],
  );

  const loadHelp = useCallback(async (region: string | null) => {
    const help = await readHelp(region, (...request) => fetch(...request));
    if (help !== null) dispatch({ type: 'helped', help });
    return help !== null;
  }, []);

  const restore = useCallback(async () => {
    const id = session.current;
    if (client === null || id === null) return;
    running.current?.controller.abort();
    const mine: Running = { controller: new AbortController(), turnId: null };
    running.current = mine;
    const { signal } = mine.controller;
    setRestoring({ phase: 'loading' });
    for (let tries = 0; tries < PENDING_TRIES; tries++) {
      const found = await client.readSession(id, signal);
      if (signal.aborted) return;
      if (!found.ok) {
        const gone = found.failure.kind === 'refused' && found.failure.status === 404;
        setRestoring(gone ? { phase: 'gone' } : { phase: 'failed', failure: found.failure });
        refused(found.failure);
        return;
      }
      dispatch({ type: 'restored', sessionId: id, session: found.value });
      if (tries === 0) setEpoch((n) => n + 1);
      // The service does not store the list that came with a crisis turn, so it is read again.
      if (found.value.turns.at(-1)?.crisis) void loadHelp(found.value.region);
      if (!found.value.pending) break;
      setRestoring({ phase: 'waiting' });
      await pause(PENDING_MS, signal);
      if (signal.aborted) return;
    }
    setRestoring({ phase: 'idle' });
  }, [client, refused, loadHelp]);

  const send = useCallback(
    async (text: string) => {
      if (client === null) return;
      counter.current += 1;
      const id = `local-${counter.current}`;
      const mine: Running = { controller: new AbortController(), turnId: null };
      running.current = mine;
      const { signal } = mine.controller;
      setRestoring({ phase: 'idle' });
      dispatch({ type: 'sent', id, text });
      const fail = (failure: Failure) => {
        refused(failure);
        dispatch(
          failure.kind === 'aborted' ? { type: 'stopped', id } : { type: 'failed', id, failure },
        );
      };
      if (session.current === null) {
        const created = await client.createSession(signal);
        if (!created.ok) return fail(created.failure);
        open(created.value);
        dispatch({ type: 'opened', sessionId: created.value });
      }
      const sessionId = session.current;
      if (sessionId === null) return fail({ kind: 'aborted' });
      const sent = await client.sendMessage({
        sessionId,
        text,
        signal,
        onEvent: (event) => {
          if (event.event === 'turn') mine.turnId = event.turnId;
          if (!signal.aborted) dispatch({ type: 'event', id, event });
        },
      });
      if (!sent.ok) fail(sent.failure);
    },
    [client, open, refused],
  );

  const stop = useCallback(() => {
    const mine = running.current;
    const sessionId = session.current;
    if (mine === null) return;
    if (client !== null && sessionId !== null && mine.turnId !== null) {
      void client.stopTurn(sessionId, mine.turnId);
    }
    mine.controller.abort();
  }, [client]);

  const startNew = useCallback(() => {
    stop();
    setPrevious(session.current);
    open(null);
    dispatch({ type: 'cleared' });
    setRestoring({ phase: 'idle' });
    setEpoch((n) => n + 1);
  }, [stop, open]);

  const goBack = useCallback(() => {
    if (previous === null) return;
    open(previous);
    setPrevious(null);
    void restore();
  }, [previous, open, restore]);

  // A client that arrives or changes (a new key) looks for the earlier conversation, unless there
  // is already one on the screen.
  const empty = state.turns.length === 0;
  useEffect(() => {
    if (empty) void restore();
    // Only the arrival of a client starts this; `empty` changes with every conversation.
  }, [restore]);

  useEffect(() => () => running.current?.controller.abort(), []);

  const unsettled = restoring.phase === 'loading' || restoring.phase === 'waiting';
  return {
    state,
    busy: isBusy(state) || unsettled,
    restoring,
    epoch,
    previous,
    send: (text) => {
      setPrevious(null);
      void send(text);
    },
    stop,
    retry: (id) => {
      const failed = state.turns.find((turn) => turn.id === id);
      if (failed === undefined) return;
      dispatch({ type: 'removed', id });
      void send(failed.text);
    },
    remove: (id) => dispatch({ type: 'removed', id }),
    restore: () => void restore(),
    showHelp: async () => state.help !== null || loadHelp(state.region),
    startNew,
    goBack,
  };
}
