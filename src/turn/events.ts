/**
 * The events of one turn, in the order in which a client sees them. Exactly one terminal event
 * (`done` or `error`) ends every path.
 */
import type { RankedEmotion } from '../affect/types.ts';
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
        causes: readonly { start: number; end: number }[];
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
