/** `epitome.json`: what the training code says about the judge's files (model/README.md). */
import { z } from 'zod';
import type { NormaliseRules } from '../../src/affect/normalise.ts';

/** Mechanisms of empathy in a reply (Sharma et al. 2020, arXiv 2009.08441). */
export const MECHANISMS = ['er', 'ip', 'ex'] as const;
export type Mechanism = (typeof MECHANISMS)[number];

/** 0 none, 1 weak, 2 strong. */
export const LEVELS = 3;

const id = z.int().nonnegative();
const file = z.object({ sha256: z.string(), bytes: z.int().positive() });

const schema = z.object({
  format_version: z.literal(1),
  mechanisms: z.tuple([z.literal('er'), z.literal('ip'), z.literal('ex')]),
  levels: z.literal(LEVELS),
  seeker_tokens: z.int().positive(),
  response_tokens: z.int().positive(),
  ids: z.object({ cls: id, sep: id, speaker: id, listener: id }),
  files: z.object({ 'epitome.int8.onnx': file, 'tokenizer.json': file }),
  normalise: z.object({
    replace: z.record(z.string(), z.string()),
    isolate: z.array(z.tuple([z.int(), z.int()])),
  }),
});

/** Ids around the two texts. */
export interface JudgeIds {
  readonly cls: number;
  readonly sep: number;
  /** Stands before the seeker's text. */
  readonly speaker: number;
  /** Stands before the response. */
  readonly listener: number;
}

export interface JudgeDescription {
  readonly ids: JudgeIds;
  /** Tokens that are read of each text, from its beginning. */
  readonly seekerTokens: number;
  readonly responseTokens: number;
  readonly rules: NormaliseRules;
  /** Lower-case hex of the graph's bytes. */
  readonly sha256: string;
}

/** @throws what is not as expected, by field */
export function readJudgeDescription(json: unknown): JudgeDescription {
  const { ids, seeker_tokens, response_tokens, files, normalise } = schema.parse(json);
  return {
    ids,
    seekerTokens: seeker_tokens,
    responseTokens: response_tokens,
    rules: { replace: new Map(Object.entries(normalise.replace)), isolate: normalise.isolate },
    sha256: files['epitome.int8.onnx'].sha256,
  };
}
