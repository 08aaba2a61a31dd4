/** The part of an upstream chat-completion chunk that a turn uses, validated at the boundary. */
import { z } from 'zod';
import { EMOTIONS } from '../affect/emotions.ts';

const ranked = z.array(z.object({ label: z.string(), probability: z.number() }));

const schema = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish() }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
  attune: z
    .object({
      emotions: ranked.optional(),
      intents: ranked.optional(),
      intent: z.string().optional(),
    })
    .nullish(),
});

export interface Chunk {
  readonly text: string;
  readonly finish: string | null;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  /** Present on the first chunk: the model's own emotion and intent heads. */
  readonly heads: { readonly emotion: string | null; readonly intent: string | null } | null;
}

/** Read one chunk, or null when it is not one (a garbage frame, an `error` object). */
export function readChunk(value: unknown): Chunk | null {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return null;
  const { choices, usage, attune } = parsed.data;
  const choice = choices[0];
  const top = attune?.emotions?.[0]?.label;
  return {
    text: choice?.delta?.content ?? '',
    finish: choice?.finish_reason ?? null,
    usage: usage ?? null,
    heads: attune?.intent
      ? {
          intent: attune.intent,
          emotion: top !== undefined && isEmotion(top) ? top : null,
        }
      : null,
  };
}

function isEmotion(label: string): boolean {
  return EMOTIONS.some((emotion) => emotion === label);
}
