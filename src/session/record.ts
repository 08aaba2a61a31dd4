/** What is stored of a session. docs/storage.md describes the same, and a test compares them. */
import type { RankedEmotion } from '../affect/types.ts';
import type { RiskFlag, RiskLevel, SafetyMemory } from '../safety/types.ts';
import type { FinishReason } from '../turn/events.ts';

/** `session:{id}`: written once, when the session is created. */
export interface SessionHeader {
  readonly session_id: string;
  readonly created_at: string;
  readonly locale: string | null;
  readonly region: string;
  readonly minor: boolean | null;
  readonly consent: { readonly training: boolean; readonly voice: boolean };
  readonly metadata: Readonly<Record<string, string>>;
  readonly retention_days: number;
}

/** `session:{id}:turn:{n}`: written once, when the turn has ended. */
export interface TurnRecord {
  readonly turn_id: string;
  readonly n: number;
  /** ISO 8601 time at which the message was admitted. */
  readonly at: string;
  readonly user: { readonly text: string };
  readonly assistant: { readonly text: string; readonly finish_reason: FinishReason };
  /** The three most probable emotions; null when the classifier abstained or did not judge this turn. */
  readonly emotions: readonly RankedEmotion[] | null;
  readonly intent: string | null;
  readonly safety: {
    readonly level: RiskLevel;
    readonly flags: readonly RiskFlag[];
    readonly route: 'converse' | 'crisis' | 'boundary';
  };
}

/** A message that was admitted and not yet answered; only in the coordinator's storage. */
export interface PendingTurn {
  readonly n: number;
  readonly at: string;
  readonly text: string;
}

export const keys = {
  header: (id: string) => `session:${id}`,
  turn: (id: string, n: number) => `session:${id}:turn:${n}`,
  safety: (id: string) => `session:${id}:safety`,
} as const;

/** What a client gets from `GET /v1/sessions/:id`. */
export interface SessionView {
  readonly session_id: string;
  readonly created_at: string;
  readonly locale: string | null;
  readonly region: string;
  readonly retention_days: number;
  readonly safety: Pick<SafetyMemory, 'state' | 'level' | 'since'>;
  readonly turns: readonly TurnRecord[];
  /** Number of the last message admitted, answered or not. */
  readonly last_n: number;
}
