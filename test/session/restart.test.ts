import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it } from 'vitest';
import { api, eventsOf, newSession, send, setFault } from '../support/client.ts';

interface View {
  turns: {
    n: number;
    user: { text: string };
    assistant: { text: string; finish_reason: string };
  }[];
  safety: { state: string; level: number };
}

afterEach(() => setFault({ mode: 'pass' }));

async function view(session: string): Promise<View> {
  return (await api(`/v1/sessions/${session}`)).json();
}

/** End the coordinator's instance as an eviction or a crash does; its storage stays. */
async function restart(
  session: string,
  before: (sql: SqlStorage) => void = () => {},
): Promise<void> {
  const stub = env.SESSIONS.getByName(session);
  await runInDurableObject(stub, async (_, state) => {
    before(state.storage.sql);
    await state.storage.sync();
    state.abort('restart');
  }).catch(() => {});
}

describe('a coordinator that was restarted', () => {
  it('still has its session, and counts its life in the event ids', async () => {
    const session = await newSession();
    const first = await eventsOf(await send(session, { text: 'My cat is ill.' }));
    await restart(session);
    const second = await eventsOf(await send(session, { text: 'She is very old.' }));
    const epoch = (id = '') => Number(id.split('.')[0]);
    expect(epoch(second[0]?.id)).toBeGreaterThan(epoch(first[0]?.id));
    expect((await view(session)).turns.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('S19 closes the turn that was running as interrupted and keeps the message', async () => {
    const session = await newSession();
    const choice = { index: 0, delta: { content: 'I am' }, finish_reason: null };
    await setFault({ mode: 'hang', body: `data: ${JSON.stringify({ choices: [choice] })}\n\n` });
    const running = await send(session, { text: 'My cat is ill.' });
    await restart(session);
    await running.body?.cancel().catch(() => {});
    await setFault({ mode: 'pass' });
    const { turns } = await view(session);
    expect(turns).toMatchObject([
      { n: 1, user: { text: 'My cat is ill.' }, assistant: { finish_reason: 'interrupted' } },
    ]);
    const next = await eventsOf(await send(session, { text: 'Are you there?' }));
    expect(next.at(-1)?.event).toBe('done');
  });

  it('K01 rebuilds a session whose own storage is gone from KV, by exact keys', async () => {
    const session = await newSession();
    await eventsOf(await send(session, { text: 'I want to end my life.' }));
    await eventsOf(await send(session, { text: 'I do not know what to do.' }));
    const before = await view(session);
    await restart(session, (sql) => {
      for (const table of ['meta', 'turns', 'pending']) sql.exec(`DELETE FROM ${table}`);
    });
    expect(await view(session)).toEqual(before);
    expect(before.safety.state).toBe('acute');
    const next = await eventsOf(await send(session, { text: 'Please go on.' }));
    expect(next[0]?.data.turn_id).toBe('turn_3');
  });
});
