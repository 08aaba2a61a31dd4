import { describe, expect, it } from 'vitest';
import { api, eventsOf, newSession, send } from '../support/client.ts';

async function storedEmotions(text: string): Promise<unknown> {
  const session = await newSession();
  await eventsOf(await send(session, { text }));
  const view = await (await api(`/v1/sessions/${session}`)).json<{
    turns: { emotions: unknown }[];
  }>();
  return view.turns[0]?.emotions;
}

describe('the record of a turn', () => {
  it('E08 names no emotion where the classifier abstained', async () => {
    expect(await storedEmotions('…')).toBeNull();
    expect(await storedEmotions('Ich fühle mich so allein, seit du weg bist.')).toBeNull();
  });

  it('keeps the three most probable emotions that the classifier stands behind', async () => {
    expect(await storedEmotions('My dog died last night.')).toHaveLength(3);
  });
});
