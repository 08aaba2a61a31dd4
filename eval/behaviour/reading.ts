/** One answer of `POST /v1/emotions`, as far as the behaviour set looks at it. */
import { z } from 'zod';

const number = z.number().nullish();

/**
 * What a model does not give may be absent: an item that needs it has then failed, and is never left
 * out of the count.
 */
export const readingSchema = z.object({
  /** Most probable first. */
  emotions: z.array(z.object({ label: z.string(), probability: z.number() })),
  abstained: z.boolean(),
  abstain_reason: z.string().nullish(),
  groups: z
    .object({
      /** Most probable first. */
      families: z.array(z.object({ family: z.string(), probability: z.number() })).readonly(),
      polarity: z.object({ positive: z.number(), negative: z.number() }),
    })
    .nullish(),
  /** Most salient first; UTF-16 offsets into the content of the message. */
  causes: z.array(z.object({ message: z.int(), start: z.int(), end: z.int() })).nullish(),
  valence: number,
  arousal: number,
  dominance: number,
  intensity: number,
  distress: number,
  concern: number,
  self_disclosure: number,
});

export type Reading = z.infer<typeof readingSchema>;
