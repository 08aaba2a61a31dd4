/**
 * The events of a turn as the page needs them: a narrowed view of `src/turn/events.ts`. Fields
 * that the page does not show are not read, so that the server may grow without breaking it.
 */
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import type { RankedEmotion } from '../../../src/affect/types.ts';
import type { Resource } from '../../../src/safety/types.ts';
import type { FinishReason } from '../../../src/turn/events.ts';
import { finite, json, list, oneOf, record, text } from './narrow.ts';

/** What the crisis card shows. */
export interface Safety {
  readonly crisis: boolean;
  readonly resources: readonly Resource[];
  readonly disclosure: string;
}

/** One event of a turn. `done` and `error` are terminal. */
export type PageEvent =
  | { readonly event: 'turn'; readonly turnId: string }
  /** Most probable first; empty when the classifier abstained. */
  | { readonly event: 'affect'; readonly emotions: readonly RankedEmotion[] }
  | { readonly event: 'safety'; readonly safety: Safety }
  | { readonly event: 'delta'; readonly text: string }
  | { readonly event: 'done'; readonly finish: FinishReason }
  | {
      readonly event: 'error';
      readonly code: string;
      readonly message: string;
      readonly retryAfter: number | null;
    };

const FINISH_REASONS = ['stop', 'length', 'guard', 'degraded', 'interrupted'] as const;
const KINDS = ['emergency', 'phone', 'sms', 'whatsapp', 'chat', 'web'] as const;

function readEmotion(value: unknown): RankedEmotion | null {
  const row = record(value);
  const label = oneOf(row?.get('label'), EMOTIONS);
  const probability = finite(row?.get('probability'));
  return label === null || probability === null ? null : { label, probability };
}

/** @returns a helpline, or null where a part that the person needs is missing. */
export function readResource(value: unknown): Resource | null {
  const row = record(value);
  const kind = oneOf(row?.get('kind'), KINDS);
  const name = text(row?.get('name'));
  const contact = text(row?.get('contact'));
  if (row === null || kind === null || name === null || contact === null) return null;
  const hours = text(row.get('hours'));
  const keyword = text(row.get('keyword'));
  const note = text(row.get('note'));
  return {
    name,
    kind,
    contact,
    country: text(row.get('country')) ?? '',
    audience: text(row.get('audience')) ?? '',
    checked_on: text(row.get('checked_on')) ?? '',
    ...(hours === null ? {} : { hours }),
    ...(keyword === null ? {} : { keyword }),
    ...(note === null ? {} : { note }),
  };
}

/** @returns the emotions of an array, in its order; anything else reads as none. */
export function readEmotions(value: unknown): readonly RankedEmotion[] {
  return list(value, readEmotion);
}

/** @returns what the page keeps of a `safety` object, or null where it is none. */
export function readSafety(value: unknown): Safety | null {
  const row = record(value);
  if (row === null) return null;
  return {
    crisis: row.get('route') === 'crisis',
    resources: list(row.get('resources'), readResource),
    disclosure: text(row.get('disclosure')) ?? '',
  };
}

/** @returns the finish reason, or null where the value is none that is known. */
export function readFinish(value: unknown): FinishReason | null {
  return oneOf(value, FINISH_REASONS);
}

/**
 * @param name the `event:` field of a frame
 * @param data its `data:` field, JSON
 * @returns the event, or null for one that this page does not know or cannot read: an unknown
 *   event is ignored, and a lost terminal event shows as a stream that ended without one
 */
export function readEvent(name: string, data: string): PageEvent | null {
  const value = json(data);
  const row = record(value);
  if (row === null) return null;
  switch (name) {
    case 'turn': {
      const turnId = text(row.get('turn_id'));
      return turnId === null ? null : { event: 'turn', turnId };
    }
    case 'affect':
      return {
        event: 'affect',
        // A classifier that abstains does not stand behind its order, so nothing is shown.
        emotions: row.get('abstained') === true ? [] : readEmotions(row.get('emotions')),
      };
    case 'safety': {
      const safety = readSafety(value);
      return safety === null ? null : { event: 'safety', safety };
    }
    case 'delta': {
      const delta = text(row.get('text'));
      return delta === null ? null : { event: 'delta', text: delta };
    }
    case 'done':
      // An unknown reason is still an end: the reply is complete as far as the server is concerned.
      return { event: 'done', finish: readFinish(row.get('finish_reason')) ?? 'stop' };
    case 'error':
      return {
        event: 'error',
        code: text(row.get('code')) ?? 'unknown',
        message: text(row.get('message')) ?? '',
        retryAfter: finite(row.get('retry_after')),
      };
    default:
      return null;
  }
}
