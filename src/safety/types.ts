/** Vocabulary of the safety room (levels and flags of docs/safety-protocol.md). */
import type { DialogueTurn } from '../affect/types.ts';

/** 0 none, 1 distress, 2 ideation, 3 plan, means or imminent. */
export type RiskLevel = 0 | 1 | 2 | 3;

export type RiskFlag =
  | 'self_harm'
  | 'third_party'
  | 'harm_to_others'
  | 'abuse'
  | 'medical_emergency'
  | 'eating_disorder';

/** Languages for which rules and a reply exist. */
export type SafetyLanguage = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'it';

/** Session state: `acute` means the protocol writes and the language model does not. */
export type SafetyState = 'open' | 'acute' | 'monitored' | 'resumed';

export interface GateInput {
  /** Earlier turns, oldest first; may be empty. */
  readonly history: readonly DialogueTurn[];
  /** The full new message, never truncated. */
  readonly text: string;
  /**
   * Highest level that the session remembers from before `history` (use `priorRisk(memory)`);
   * default 0. It makes weak signs count, it never raises the level of a message without a sign.
   */
  readonly prior?: RiskLevel;
}

export interface GateResult {
  readonly route: 'converse' | 'crisis';
  readonly level: RiskLevel;
  readonly flags: readonly RiskFlag[];
  /** Ids of the rules that fired, for audit; never text of the person. */
  readonly reasons: readonly string[];
  /** Language of the rules that fired at the highest level; absent when none fired. */
  readonly language?: SafetyLanguage;
}

/** What a session remembers about safety. Holds no text. */
export interface SafetyMemory {
  readonly state: SafetyState;
  readonly level: RiskLevel;
  /** ISO 8601 time at which the level was reached. */
  readonly since: string | null;
  /** Protocol steps already taken, so that nothing is repeated. */
  readonly shown: readonly string[];
  /** Crisis turns so far. */
  readonly turns: number;
  /** Flags seen while the level was raised; absent reads as none. */
  readonly flags?: readonly RiskFlag[];
  /** Turns in a row without a sign of risk in the present state; absent reads as 0. */
  readonly calm?: number;
}

/** One way to reach a service, as shown to the person. */
export interface Resource {
  readonly name: string;
  readonly kind: 'emergency' | 'phone' | 'sms' | 'whatsapp' | 'chat' | 'web';
  /** Number or address exactly as to be dialled or opened. */
  readonly contact: string;
  /** Word to send by SMS, or the menu step of a phone line ("press 1"). */
  readonly keyword?: string;
  readonly hours?: string;
  readonly country: string;
  /** `anyone`, or the group that the service is for: a label to show beside the name. */
  readonly audience: string;
  /** ISO 8601 date of the last check of the data. */
  readonly checked_on: string;
  /** Present when the sources of this entry disagree: to be shown beside the number. */
  readonly note?: string;
}

/** The `safety` event of a turn. */
export interface SafetyEvent {
  readonly level: RiskLevel;
  readonly flags: readonly RiskFlag[];
  readonly route: 'converse' | 'crisis' | 'boundary';
  readonly step: string;
  readonly resources: readonly Resource[];
  /** Plain sentence that this is an AI. */
  readonly disclosure: string;
}

export interface ProtocolReply {
  readonly text: string;
  readonly event: SafetyEvent;
  readonly memory: SafetyMemory;
}
