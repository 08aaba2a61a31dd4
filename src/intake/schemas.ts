/** What a request may contain. The same schemas validate and make the OpenAPI document. */
import { z } from '@hono/zod-openapi';
import {
  DEFAULT_RETENTION_DAYS,
  MAX_CANDIDATE_CHARS,
  MAX_CANDIDATES,
  MAX_EMOTION_BATCH,
  MAX_EMOTION_MESSAGES,
  MAX_RETENTION_DAYS,
  MAX_TEXT_CHARS,
} from '../limits.ts';
import { loneSurrogateAt } from './well-formed.ts';

/** A text a person wrote: not blank, at most 16,000 UTF-16 code units, well-formed. */
export const text = z
  .string()
  .max(MAX_TEXT_CHARS, { error: `must be at most ${MAX_TEXT_CHARS} characters` })
  .superRefine((value, context) => {
    const offset = loneSurrogateAt(value);
    if (offset >= 0) {
      context.addIssue({ code: 'custom', message: `has a lone surrogate at offset ${offset}` });
    } else if (value.trim() === '') {
      context.addIssue({ code: 'custom', message: 'must not be empty' });
    }
  })
  .openapi({ example: 'My best friend is moving away and I feel empty.' });

const region = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: 'must be an ISO 3166-1 alpha-2 code' })
  .transform((value) => value.toUpperCase())
  .openapi({ example: 'GB', description: 'Country whose helplines are shown.' });

const locale = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'must be a BCP 47 language tag' })
  .openapi({ example: 'en-GB' });

export const createSession = z
  .strictObject({
    locale: locale.optional(),
    region: region.optional(),
    minor: z.boolean().optional().openapi({ description: 'The person is under 18.' }),
    consent: z
      .strictObject({ training: z.boolean().default(false), voice: z.boolean().default(false) })
      .default({ training: false, voice: false }),
    metadata: z.record(z.string().max(64), z.string().max(512)).optional(),
    retention_days: z.int().min(1).max(MAX_RETENTION_DAYS).default(DEFAULT_RETENTION_DAYS),
  })
  .openapi('CreateSession');

export const sendMessage = z
  .strictObject({
    text,
    stream: z.boolean().default(true),
    on_conflict: z.enum(['queue', 'reject']).default('queue'),
  })
  .openapi('SendMessage');

const chatMessage = z.strictObject({ role: z.enum(['user', 'assistant']), content: text });

const conversation = z.array(chatMessage).min(1).max(MAX_EMOTION_MESSAGES);

/** One text, one conversation, or a batch of conversations: exactly one of the three. */
export const emotionsRequest = z
  .strictObject({
    text: text.optional(),
    messages: conversation.optional(),
    batch: z
      .array(z.strictObject({ messages: conversation }))
      .min(1)
      .max(MAX_EMOTION_BATCH)
      .optional(),
  })
  .refine((value) => Object.values(value).filter((part) => part !== undefined).length === 1, {
    error: 'send exactly one of "text", "messages" and "batch"',
  })
  .openapi('EmotionsRequest');

const candidate = text.refine((value) => value.length <= MAX_CANDIDATE_CHARS, {
  error: `must be at most ${MAX_CANDIDATE_CHARS} characters`,
});

/** A conversation that ends with a message of the user, and replies to it. */
export const rankRequest = z
  .strictObject({
    messages: conversation.refine((messages) => messages.at(-1)?.role === 'user', {
      error: 'the last message must be from the user',
    }),
    candidates: z
      .array(candidate)
      .min(1)
      .max(MAX_CANDIDATES)
      .openapi({ example: ['Oh no, what happened?', 'Congratulations!'] }),
  })
  .openapi('RankRequest');

export type CreateSession = z.infer<typeof createSession>;
export type SendMessage = z.infer<typeof sendMessage>;
export type EmotionsRequest = z.infer<typeof emotionsRequest>;
