/**
 * The events of one turn, in the order in which a client sees them. Exactly one terminal event
 * (`done` or `error`) ends every path.
 */
import type { Cause, RankedEmotion, Reading } from '../affect/types.ts';
import type { SafetyEvent } from '../safety/types.ts';

export type FinishReason = 'stop' | 'length' | 'guard' | 'degraded' | 'interrupted';

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Milliseconds since the message was admitted; null where that step did not happen. */
export interface Timings {
  readonly affect_ms: number | null;
  readonly first_delta_ms: number | null;
  readonly total_ms: number;
}

export type TurnEvent =
  | { readonly event: 'turn'; readonly data: { turn_id: string; session_id: string } }
  | {
      readonly event: 'affect';
      readonly data: {
        emotions: readonly RankedEmotion[];
        /** Words of the message that is answered, most salient first. */
        causes: readonly Omit<Cause, 'message'>[];
        /** 0…1; null when nothing could be read. */
        intensity: number | null;
        abstained: boolean;
      };
    }
  | { readonly event: 'safety'; readonly data: SafetyEvent }
  | {
      readonly event: 'plan';
      readonly data: { intent: string | null; mechanism: string | null; mimicry: boolean };
    }
  | { readonly event: 'delta'; readonly data: { text: string } }
  | {
      readonly event: 'done';
      readonly data: { finish_reason: FinishReason; usage: Usage; timings: Timings };
    }
  | {
      readonly event: 'error';
      readonly data: { code: string; message: string; retry_after?: number };
    };

/** Emotions told to a client: the rest is next to nothing. */
const TOLD_EMOTIONS = 5;

/**
 * @param input.reading of the dialogue that ends with the message that is answered.
 * @param input.message index of that message: the number of turns before it.
 */
export function affectEvent(input: {
  readonly reading: Reading;
  readonly message: number;
}): TurnEvent {
  const { emotions, causes, intensity, abstained } = input.reading;
  return {
    event: 'affect',
    data: {
      emotions: emotions.slice(0, TOLD_EMOTIONS),
      causes: causes
        .filter(({ message }) => message === input.message)
        .map(({ start, end, score }) => ({ start, end, score })),
      intensity,
      abstained,
    },
  };
}
