/** Whole talks with the crisis protocol, for the tests of this folder. */
import type { DialogueTurn } from '../../src/affect/types.ts';
import {
  advance,
  gate,
  initialMemory,
  type ProtocolReply,
  priorRisk,
  replay,
  respond,
} from '../../src/safety/index.ts';
import { EN } from '../../src/safety/text/en/index.ts';

const NOW = '2026-01-02T03:04:05.000Z';

export interface Place {
  readonly region?: string | null;
  readonly locale?: string | null;
}

/** A whole talk with the protocol; each message is judged with what came before. */
export function talk(messages: readonly string[], { region = 'GB', locale = 'en' }: Place = {}) {
  const replies: ProtocolReply[] = [];
  const history: DialogueTurn[] = [];
  let memory = initialMemory();
  for (const text of messages) {
    const verdict = gate({ history, text, prior: priorRisk(memory) });
    memory = advance(memory, verdict, NOW);
    const reply = respond({ gate: verdict, memory, region, locale, history, text });
    memory = reply.memory;
    replies.push(reply);
    history.push({ role: 'user', text }, { role: 'assistant', text: reply.text });
  }
  return replies;
}

/** The same for a client that keeps the talk itself: no memory but the messages. */
export function statelessTalk(messages: readonly string[]) {
  const replies: ProtocolReply[] = [];
  const history: DialogueTurn[] = [];
  for (const text of messages) {
    const seen = replay({ history, text, now: NOW });
    const reply = respond({ ...seen, region: 'GB', locale: 'en', history, text });
    replies.push(reply);
    history.push({ role: 'user', text }, { role: 'assistant', text: reply.text });
  }
  return replies;
}

/** The answer to a first message. */
export function first(text: string, place: Place = {}): ProtocolReply {
  const [reply] = talk([text], place);
  if (reply === undefined) throw new Error('no reply');
  return reply;
}

/** Sentences of the reply, without the list of services, which may come again when risk rises. */
export function sentencesOf({ text }: ProtocolReply): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('•') && !/last checked on/.test(line))
    .flatMap((line) => line.split(/(?<=[.?!]”?)\s+/));
}

/** Entries that stand in the list before. */
export const repeated = (list: readonly string[]) =>
  list.filter((entry, i) => list.indexOf(entry) !== i);
/** Whether the reply holds a sentence of this pool of the English protocol. */
export const partOf = (pool: string, { text }: ProtocolReply): boolean =>
  (EN[pool] ?? []).some((sentence) => text.includes(sentence.text.split('{')[0] || sentence.text));
