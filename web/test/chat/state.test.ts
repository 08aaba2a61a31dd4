import { describe, expect, test } from 'vitest';
import type { PageEvent } from '../../src/api/events.ts';
import { type Action, EMPTY_CHAT, isBusy, reduce } from '../../src/chat/state.ts';

const LINE = {
  name: 'Emergency services',
  kind: 'emergency',
  contact: '112',
  country: 'DE',
  audience: 'anyone',
  checked_on: '2026-11-30',
} as const;

function after(...actions: readonly Action[]) {
  return actions.reduce(reduce, EMPTY_CHAT);
}

function event(data: PageEvent): Action {
  return { type: 'event', id: 'a', event: data };
}

const sent: Action = { type: 'sent', id: 'a', text: 'hi' };
const done = event({ event: 'done', finish: 'stop' });
const crisis = event({
  event: 'safety',
  safety: { crisis: true, resources: [LINE], disclosure: 'This is an AI.' },
});

describe('the conversation', () => {
  test('joins the deltas of a reply and is busy until its end', () => {
    const writing = after(
      sent,
      event({ event: 'delta', text: 'Oh ' }),
      event({ event: 'delta', text: 'no' }),
    );
    expect(writing.turns[0]).toMatchObject({ reply: 'Oh no', phase: 'streaming' });
    expect(isBusy(writing)).toBe(true);
    const ended = reduce(writing, done);
    expect(ended.turns[0]).toMatchObject({ reply: 'Oh no', phase: 'done', finish: 'stop' });
    expect(isBusy(ended)).toBe(false);
  });

  test('a late event does not wake a stopped turn', () => {
    const stopped = after(sent, { type: 'stopped', id: 'a' });
    expect(reduce(stopped, event({ event: 'delta', text: 'late' }))).toEqual(stopped);
    expect(stopped.turns[0]).toMatchObject({ phase: 'done', finish: 'interrupted' });
  });

  test('a failed turn keeps what the person wrote and what was already said', () => {
    const failed = after(sent, event({ event: 'delta', text: 'I am' }), {
      type: 'failed',
      id: 'a',
      failure: { kind: 'cut' },
    });
    expect(failed.turns[0]).toMatchObject({ text: 'hi', reply: 'I am', phase: 'failed' });
    expect(isBusy(failed)).toBe(false);
  });

  test('an error event fails the turn with its delay', () => {
    const error = event({ event: 'error', code: 'busy', message: '', retryAfter: 4 });
    expect(after(sent, error).turns[0]?.failure).toMatchObject({ kind: 'turn', retryAfter: 4 });
  });

  test('a crisis shows the lines at once and marks the turn', () => {
    const state = after(sent, crisis);
    expect(state.help).toEqual({
      turn: 'a',
      crisis: true,
      resources: [LINE],
      disclosure: 'This is an AI.',
    });
    expect(state.turns[0]?.crisis).toBe(true);
  });

  test('the lines stay through the turns that follow, and a later event without any keeps them', () => {
    const state = after(
      sent,
      crisis,
      done,
      { type: 'sent', id: 'b', text: 'thanks' },
      {
        type: 'event',
        id: 'b',
        event: { event: 'safety', safety: { crisis: false, resources: [], disclosure: '' } },
      },
    );
    expect(state.help?.resources).toEqual([LINE]);
    expect(state.turns[1]?.crisis).toBe(false);
  });

  test('a refused message that speaks of danger shows the lines of the refusal', () => {
    const state = after(sent, {
      type: 'failed',
      id: 'a',
      failure: {
        kind: 'refused',
        status: 404,
        code: 'session_not_found',
        message: '',
        retryAfter: null,
        resources: [LINE],
      },
    });
    expect(state.help).toMatchObject({ crisis: true, resources: [LINE] });
  });

  test('a restored conversation is complete and idle', () => {
    const state = after({
      type: 'restored',
      sessionId: 's1',
      session: {
        turns: [
          { turnId: 't1', text: 'hi', reply: 'hello', finish: 'stop', emotions: [], crisis: false },
        ],
        pending: false,
        region: 'GB',
      },
    });
    expect(state).toMatchObject({ sessionId: 's1', region: 'GB' });
    expect(state.turns).toMatchObject([{ id: 't1', reply: 'hello', phase: 'done' }]);
    expect(isBusy(state)).toBe(false);
  });

  test('a new conversation starts empty', () => {
    expect(after(sent, crisis, done, { type: 'cleared' })).toEqual(EMPTY_CHAT);
  });
});
