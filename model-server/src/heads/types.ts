/** What the heads say. */
import type { Emotion, Intent } from '../engine/slots.ts';

/** A label and its probability among the labels of its head. */
export interface Ranked<L extends string> {
  readonly label: L;
  readonly probability: number;
}

/** Emotion detection and response planning for one prompt. */
export interface HeadReading {
  /** All 32, most probable first; they sum to 1. */
  readonly emotions: readonly Ranked<Emotion>[];
  /** All 9, most probable first; they sum to 1. */
  readonly intents: readonly Ranked<Intent>[];
  /** Share of the full next-token distribution that the emotion tokens have (trained: ≥ 0.99). */
  readonly emotionMass: number;
  /** The same at the intent slot; `<|int:any|>` is not counted. */
  readonly intentMass: number;
}
