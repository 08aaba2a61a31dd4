/** The conversation as the page holds it: a pure reducer, no I/O. */
import type { RankedEmotion } from '../../../src/affect/types.ts';
import type { Resource } from '../../../src/safety/types.ts';
import type { FinishReason } from '../../../src/turn/events.ts';
import type { StoredSession } from '../api/client.ts';
import type { PageEvent } from '../api/events.ts';
import type { Failure } from '../api/failure.ts';
import type { HelpList } from '../api/help.ts';

/** One message of the person and the reply to it. */
export interface Turn {
  /** Local and unique within the page; `turnId` is the service's and comes with the stream. */
  readonly id: string;
  readonly turnId: string | null;
  readonly text: string;
  readonly reply: string;
  readonly phase: 'sending' | 'streaming' | 'done' | 'failed';
  readonly finish: FinishReason | null;
  /** Most probable first; empty when nothing was understood with confidence. */
  readonly emotions: readonly RankedEmotion[];
  readonly crisis: boolean;
  readonly failure: Failure | null;
}

/** Helplines to show. */
export interface Help {
  /** The turn that they came with, or null when they were asked for. */
  readonly turn: string | null;
  /** The protocol wrote that turn; otherwise the lines are only kept at hand. */
  readonly crisis: boolean;
  readonly resources: readonly Resource[];
  readonly disclosure: string;
}

export interface ChatState {
  readonly sessionId: string | null;
  /** ISO 3166-1 alpha-2 country of a restored conversation, or null. */
  readonly region: string | null;
  readonly turns: readonly Turn[];
  readonly help: Help | null;
}

export type Action =
  | { readonly type: 'restored'; readonly sessionId: string; readonly session: StoredSession }
  | { readonly type: 'opened'; readonly sessionId: string }
  | { readonly type: 'sent'; readonly id: string; readonly text: string }
  | { readonly type: 'event'; readonly id: string; readonly event: PageEvent }
  | { readonly type: 'failed'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'stopped'; readonly id: string }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'helped'; readonly help: HelpList }
  | { readonly type: 'cleared' };

export const EMPTY_CHAT: ChatState = {
  sessionId: null,
  region: null,
  turns: [],
  help: null,
};

/** @returns true while a reply is awaited or being written. */
export function isBusy(state: ChatState): boolean {
  return state.turns.some((turn) => turn.phase === 'sending' || turn.phase === 'streaming');
}

/**
 * @returns the next state; an action about a turn that is not there, or that has already ended,
 *   changes nothing, so that a late frame cannot wake a stopped turn
 */
export function reduce(state: ChatState, action: Action): ChatState {
  switch (action.type) {
    case 'restored':
      return {
        // The helplines stay: the service does not store them with the turn.
        ...state,
        sessionId: action.sessionId,
        region: action.session.region,
        turns: action.session.turns.map((turn) => ({
          id: turn.turnId,
          turnId: turn.turnId,
          text: turn.text,
          reply: turn.reply,
          phase: 'done',
          finish: turn.finish,
          emotions: turn.emotions,
          crisis: turn.crisis,
          failure: null,
        })),
      };
    case 'opened':
      return { ...state, sessionId: action.sessionId };
    case 'sent':
      return { ...state, turns: [...state.turns, fresh(action.id, action.text)] };
    case 'event':
      return applyEvent(state, action.id, action.event);
    case 'failed':
      return applyFailure(state, action.id, action.failure);
    case 'stopped':
      return update(state, action.id, (turn) => ({
        ...turn,
        phase: 'done',
        finish: 'interrupted',
      }));
    case 'removed':
      return { ...state, turns: state.turns.filter((turn) => turn.id !== action.id) };
    case 'helped':
      return { ...state, help: { turn: null, crisis: false, ...action.help } };
    case 'cleared':
      return EMPTY_CHAT;
  }
}

function fresh(id: string, text: string): Turn {
  return {
    id,
    turnId: null,
    text,
    reply: '',
    phase: 'sending',
    finish: null,
    emotions: [],
    crisis: false,
    failure: null,
  };
}

function update(state: ChatState, id: string, change: (turn: Turn) => Turn): ChatState {
  const turns = state.turns.map((turn) => {
    const open = turn.phase === 'sending' || turn.phase === 'streaming';
    return turn.id === id && open ? change(turn) : turn;
  });
  return { ...state, turns };
}

function applyEvent(state: ChatState, id: string, event: PageEvent): ChatState {
  switch (event.event) {
    case 'turn':
      return update(state, id, (turn) => ({ ...turn, turnId: event.turnId }));
    case 'affect':
      return update(state, id, (turn) => ({ ...turn, emotions: event.emotions }));
    case 'safety': {
      const { crisis, resources, disclosure } = event.safety;
      if (resources.length === 0) return state;
      const next = { ...state, help: { turn: id, crisis, resources, disclosure } };
      return crisis ? update(next, id, (turn) => ({ ...turn, crisis: true })) : next;
    }
    case 'delta':
      return update(state, id, (turn) => ({
        ...turn,
        phase: 'streaming',
        reply: turn.reply + event.text,
      }));
    case 'done':
      return update(state, id, (turn) => ({ ...turn, phase: 'done', finish: event.finish }));
    case 'error':
      return applyFailure(state, id, {
        kind: 'turn',
        code: event.code,
        message: event.message,
        retryAfter: event.retryAfter,
      });
  }
}

function applyFailure(state: ChatState, id: string, failure: Failure): ChatState {
  const next = update(state, id, (turn) => ({ ...turn, phase: 'failed', failure }));
  if (failure.kind !== 'refused' || failure.resources.length === 0) return next;
  const { resources } = failure;
  return { ...next, help: { turn: id, crisis: true, resources, disclosure: '' } };
}
