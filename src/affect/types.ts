/** What the edge understands of a message. Pure types, shared by every later room. */
import type { Emotion } from './emotions.ts';

/** One turn of the dialogue as the models see it. */
export interface DialogueTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface RankedEmotion {
  readonly label: Emotion;
  /** Calibrated probability in [0, 1]; the 32 of one result sum to 1. */
  readonly probability: number;
}

export interface Affect {
  /** All 32 emotions, most probable first. */
  readonly emotions: readonly RankedEmotion[];
  /** True when the classifier does not stand behind its top label. */
  readonly abstained: boolean;
  /** Why it abstained. */
  readonly abstain_reason?: 'no_words' | 'low_confidence' | 'unavailable';
}

/** Result of the classifier: a value, never an exception, so that a turn can go on without it. */
export type AffectResult =
  | { readonly ok: true; readonly affect: Affect }
  | { readonly ok: false; readonly code: 'model_unavailable'; readonly message: string };
