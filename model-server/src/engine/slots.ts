/**
 * The slot vocabulary: the model's heads are next-token distributions at slot tokens (the order of
 * the tokens is a file format, written by training/lm/slots.py). Ids are read from the vocabulary of
 * the loaded weights by text, never assumed.
 */
import { failed, type Result, success } from '../result.ts';

/** The 32 labels of EmpatheticDialogues (arXiv 1811.00207), alphabetical. */
export const EMOTIONS = [
  'afraid',
  'angry',
  'annoyed',
  'anticipating',
  'anxious',
  'apprehensive',
  'ashamed',
  'caring',
  'confident',
  'content',
  'devastated',
  'disappointed',
  'disgusted',
  'embarrassed',
  'excited',
  'faithful',
  'furious',
  'grateful',
  'guilty',
  'hopeful',
  'impressed',
  'jealous',
  'joyful',
  'lonely',
  'nostalgic',
  'prepared',
  'proud',
  'sad',
  'sentimental',
  'surprised',
  'terrified',
  'trusting',
] as const;

/** The response intents of Welivita & Pu (COLING 2020) and `neutral`. */
export const INTENTS = [
  'questioning',
  'acknowledging',
  'agreeing',
  'consoling',
  'encouraging',
  'sympathizing',
  'suggesting',
  'wishing',
  'neutral',
] as const;

/** An intent, or `any`: the reply is not steered. */
export const STEERING = [...INTENTS, 'any'] as const;

export type Emotion = (typeof EMOTIONS)[number];
export type Intent = (typeof INTENTS)[number];
export type Steering = (typeof STEERING)[number];

/** Token ids of the slots. `T` is the engine's token type. */
export interface Slots<T> {
  readonly imStart: T;
  readonly imEnd: T;
  readonly affect: T;
  readonly intent: T;
  readonly judge: T;
  readonly good: T;
  readonly bad: T;
  readonly emotions: ReadonlyMap<Emotion, T>;
  readonly intents: ReadonlyMap<Intent, T>;
  /** The intents and `any`. */
  readonly steering: ReadonlyMap<Steering, T>;
}

/** Texts of the tokens that the loaded vocabulary lacks. */
export interface MissingSlots {
  readonly missing: readonly string[];
}

/**
 * Find every slot token in a vocabulary.
 * @param find the token whose text is exactly the given one, or undefined
 */
export function findSlots<T>(
  find: (text: string) => T | undefined,
): Result<Slots<T>, MissingSlots> {
  const missing: string[] = [];
  const take = (text: string): T | undefined => {
    const token = find(text);
    if (token === undefined) missing.push(text);
    return token;
  };
  const table = <L extends string>(labels: readonly L[], prefix: string): Map<L, T> => {
    const found = new Map<L, T>();
    for (const label of labels) {
      const token = take(`<|${prefix}:${label}|>`);
      if (token !== undefined) found.set(label, token);
    }
    return found;
  };
  const imStart = take('<|im_start|>');
  const imEnd = take('<|im_end|>');
  const affect = take('<|affect|>');
  const intent = take('<|intent|>');
  const judge = take('<|judge|>');
  const good = take('<|good|>');
  const bad = take('<|bad|>');
  const emotions = table(EMOTIONS, 'emo');
  const intents = table(INTENTS, 'int');
  const steering = table(STEERING, 'int');
  if (
    imStart === undefined ||
    imEnd === undefined ||
    affect === undefined ||
    intent === undefined ||
    judge === undefined ||
    good === undefined ||
    bad === undefined ||
    missing.length > 0
  ) {
    return failed({ missing: [...new Set(missing)] });
  }
  return success({ imStart, imEnd, affect, intent, judge, good, bad, emotions, intents, steering });
}
