/** `affect.json`: what the training code says about the files beside it (model/FORMAT.md). */
import { z } from 'zod';
import { fail, ok, type Result } from '../result.ts';
import { FORMAT_VERSION, OUTPUTS } from './constants.ts';
import { EMOTIONS } from './emotions.ts';
import type { LayoutIds } from './layout.ts';
import type { NormaliseRules } from './normalise.ts';
import { hasEveryScore, type ScoreColumn } from './scores.ts';

const id = z.int().nonnegative();
const file = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().positive() });

const schema = z.object({
  format_version: z.literal(FORMAT_VERSION),
  labels: z
    .array(z.string())
    .refine((labels) => labels.join() === EMOTIONS.join(), 'not the 32 labels of this code'),
  temperature: z.number().positive(),
  max_tokens: z.int().min(4),
  special: z.object({ pad: id, cls: id, sep: id }),
  marks: z.object({ speaker: id, listener: id }),
  outputs: z
    .array(z.string())
    .refine((names) => OUTPUTS.every((name) => names.includes(name)), `not ${OUTPUTS.join(', ')}`),
  scores: z
    .array(z.object({ name: z.string(), kind: z.string(), low: z.number(), high: z.number() }))
    .refine(hasEveryScore, 'not every score of this code, or not of a kind that it reads'),
  files: z.object({ 'affect.int8.onnx': file, 'tokenizer.json': file }),
  normalise: z.object({
    replace: z.record(z.string(), z.string()),
    isolate: z.array(z.tuple([z.int(), z.int()])),
  }),
});

/** The description in the words of this code. */
export interface ModelDescription {
  readonly ids: LayoutIds;
  /** Longest sequence, `[CLS]` and `[SEP]` included. */
  readonly maxTokens: number;
  /** Divides the logits before the softmax; not part of the graph. */
  readonly temperature: number;
  /** Columns of the output `scores`, in their order; some may be of later versions. */
  readonly scores: readonly ScoreColumn[];
  readonly rules: NormaliseRules;
  readonly model: FileDescription;
  readonly tokenizer: FileDescription;
}

export interface FileDescription {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Reads `affect.json`; the failure says which field is not as expected. */
export function readDescription(json: unknown): Result<ModelDescription, string> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    return fail(`affect.json is not usable: ${where.join('; ')}`);
  }
  const { special, marks, files, normalise, ...rest } = parsed.data;
  return ok({
    ids: { cls: special.cls, sep: special.sep, ...marks },
    maxTokens: rest.max_tokens,
    temperature: rest.temperature,
    scores: rest.scores,
    rules: { replace: new Map(Object.entries(normalise.replace)), isolate: normalise.isolate },
    model: files['affect.int8.onnx'],
    tokenizer: files['tokenizer.json'],
  });
}
