/** From the tokens of two texts to what the judge's graph reads. Pure; `epitome/data.py` does the same. */
import { argmax } from '../metrics.ts';
import { type JudgeDescription, LEVELS, MECHANISMS, type Mechanism } from './description.ts';

/** Level of each mechanism: 0 none, 1 weak, 2 strong. */
export type Levels = Readonly<Record<Mechanism, number>>;

export interface JudgeInput {
  /** `[CLS] mark seeker mark response [SEP]`. */
  readonly ids: readonly number[];
  /** 1 from the response's mark to its last token. */
  readonly responseMask: readonly number[];
}

/** Each text's beginning is kept, as by the authors of EPITOME. */
export function judgeInput(
  {
    seeker,
    response,
  }: { readonly seeker: readonly number[]; readonly response: readonly number[] },
  {
    ids,
    seekerTokens,
    responseTokens,
  }: Pick<JudgeDescription, 'ids' | 'seekerTokens' | 'responseTokens'>,
): JudgeInput {
  const before = [ids.cls, ids.speaker, ...seeker.slice(0, seekerTokens)];
  const read = [ids.listener, ...response.slice(0, responseTokens)];
  return {
    ids: [...before, ...read, ids.sep],
    responseMask: [...before.map(() => 0), ...read.map(() => 1), 0],
  };
}

/**
 * The most probable level of each mechanism.
 * @param logits [mechanisms · levels], mechanism by mechanism
 */
export function levelsOf(logits: readonly number[]): Levels {
  const level = (mechanism: Mechanism) => {
    const start = MECHANISMS.indexOf(mechanism) * LEVELS;
    return argmax(logits.slice(start, start + LEVELS));
  };
  return { er: level('er'), ip: level('ip'), ex: level('ex') };
}
