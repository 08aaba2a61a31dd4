/** The OpenAPI description of a route, from the schemas that validate it. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { MAX_CAUSES, MAX_EARLIER_CAUSES } from '../affect/constants.ts';
import { EMOTIONS } from '../affect/emotions.ts';
import { FAMILIES } from '../affect/groups.ts';
import type { AppEnv } from './context.ts';

interface Content {
  readonly description: string;
  readonly content?: Record<string, { schema: z.ZodType | { type: 'string' } }>;
}

interface Description {
  readonly method: 'get' | 'post' | 'delete';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly responses: Record<number, Content>;
}

const errorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      param: z.string().optional(),
      request_id: z.string(),
    }),
  })
  .openapi('Error');

const MEANING: Record<number, string> = {
  400: 'The body is not valid',
  401: 'No or wrong API key',
  404: 'No such thing',
  409: 'Another message of this session is being answered',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests, or the model server is full: see Retry-After',
  500: 'A fault on our side',
  501: 'The model server of this deployment cannot do this',
  503: 'A needed part is not available',
};

const share = z.number().min(0).max(1);
const emotion = z.object({ label: z.enum(EMOTIONS), probability: share });
const offset = z.int().nonnegative();
const word = z.object({
  start: offset.openapi({ description: 'UTF-16 offset into the text of the message.' }),
  end: offset.openapi({ description: 'UTF-16 offset behind the word.' }),
  score: share.openapi({
    description: 'Saliency: it orders the words and is no calibrated probability.',
  }),
});
/** Null when nothing could be read: no words, or another language. */
const fromZero = share.nullable();
const aroundZero = z.number().min(-1).max(1).nullable();
const safety = z.object({
  level: z.int().min(0).max(3),
  flags: z.array(z.string()),
  route: z.enum(['converse', 'crisis', 'boundary']),
});

export const emotionsJson = z
  .object({
    emotions: z
      .array(emotion)
      .length(EMOTIONS.length)
      .openapi({ description: 'All emotions, most probable first; calibrated, sum 1.' }),
    groups: z.object({
      families: z
        .array(z.object({ family: z.enum(FAMILIES), probability: share }))
        .length(FAMILIES.length)
        .openapi({ description: 'The emotions in families, most probable first.' }),
      polarity: z.object({ positive: share, negative: share, neutral: share }),
    }),
    causes: z
      .array(
        word.extend({
          message: offset.openapi({ description: 'Index in the messages; 0 for a text.' }),
        }),
      )
      .max(MAX_CAUSES + MAX_EARLIER_CAUSES)
      .openapi({ description: 'Words that the emotion comes from, most salient first.' }),
    valence: aroundZero.openapi({ description: 'From unpleasant to pleasant.' }),
    arousal: aroundZero.openapi({ description: 'From calm to excited.' }),
    dominance: aroundZero.openapi({ description: 'From overwhelmed to in control.' }),
    intensity: fromZero.openapi({
      description:
        'How far valence and arousal are from neutral, as a rank: 0.5 is the median of plain sentences.',
    }),
    distress: fromZero,
    concern: fromZero.openapi({ description: 'Empathic concern for someone else.' }),
    self_disclosure: fromZero.openapi({
      description: 'Probability that the person tells of themself.',
    }),
    language: z
      .string()
      .length(2)
      .nullable()
      .openapi({ description: 'ISO 639-1 code; null when too short or unclear.' }),
    abstained: z
      .boolean()
      .openapi({ description: 'The classifier does not stand behind its first emotion.' }),
    abstain_reason: z.enum(['no_words', 'language', 'low_confidence']).optional(),
    risk: safety.omit({ route: true }),
    route: safety.shape.route,
    reasons: z.array(z.string()),
  })
  .openapi('Emotions');

/** One reading of a text or a conversation; of a batch one for each, in its order. */
export const emotionsAnswer = z.union([emotionsJson, z.object({ results: z.array(emotionsJson) })]);

const nats = (description: string) =>
  z.number().openapi({ description: `${description}, in nats.` });

const ranked = z.object({
  index: offset.openapi({ description: 'Place among the candidates of the request, from 0.' }),
  score: nats('Weighted sum of pmi and judge; the higher, the better'),
  pmi: nats('log P(candidate | conversation) - log P(candidate | no conversation)'),
  logprob: nats('log P(candidate | conversation)'),
  prior: nats('log P(candidate | no conversation)'),
  judge: nats('Log odds of the response-prediction head; null without an opinion').nullable(),
  tokens: z.int().openapi({ description: 'Tokens of the candidate with its end.' }),
});

export const rankAnswer = z
  .object({
    model: z.string().optional(),
    results: z.array(ranked),
    usage: z
      .object({
        prompt_tokens: z.int(),
        candidate_tokens: z.int(),
        attune_trimmed_turns: z.int(),
      })
      .optional(),
    risk: safety.omit({ route: true }),
    route: safety.shape.route,
    reasons: z.array(z.string()),
    resources: z
      .array(z.looseObject({ name: z.string(), kind: z.string(), contact: z.string() }))
      .optional()
      .openapi({ description: 'On the crisis route: the emergency number and services.' }),
  })
  .openapi('Ranking');

export const turnJson = z
  .object({
    turn_id: z.string(),
    session_id: z.string(),
    text: z.string(),
    finish_reason: z.enum(['stop', 'length', 'guard', 'degraded', 'interrupted']),
    affect: z
      .looseObject({
        emotions: z.array(emotion),
        causes: z.array(word).openapi({ description: 'Words of the message just answered.' }),
        intensity: fromZero,
        abstained: z.boolean(),
      })
      .nullable(),
    safety: z.looseObject({ level: z.int(), route: z.string() }).nullable(),
    plan: z.looseObject({ intent: z.string().nullable() }).nullable(),
    usage: z.object({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
    }),
    timings: z.looseObject({ total_ms: z.number() }),
  })
  .openapi('Turn');

export const sessionView = z
  .object({
    session_id: z.string(),
    created_at: z.string(),
    locale: z.string().nullable(),
    region: z.string(),
    retention_days: z.int(),
    safety: z.looseObject({ state: z.string(), level: z.int() }).optional(),
    turns: z
      .array(
        z.looseObject({
          turn_id: z.string(),
          n: z.int(),
          at: z.string(),
          user: z.object({ text: z.string() }),
          assistant: z.object({ text: z.string(), finish_reason: z.string() }),
          emotions: z.array(emotion).nullable(),
          safety,
        }),
      )
      .optional(),
    last_n: z.int().optional(),
  })
  .openapi('Session');

export function json(description: string, schema: z.ZodType): Content {
  return { description, content: { 'application/json': { schema } } };
}

export function errors(...statuses: number[]): Record<number, Content> {
  return Object.fromEntries(
    statuses.map((status) => [status, json(MEANING[status] ?? 'Error', errorBody)]),
  );
}

/** Add a route to `/openapi.json`. */
export function describe(app: OpenAPIHono<AppEnv>, route: Description): void {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []);
  app.openAPIRegistry.registerPath({
    method: route.method,
    path: route.path,
    summary: route.summary,
    request: {
      ...(names.length === 0
        ? {}
        : { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
      ...(route.body === undefined
        ? {}
        : { body: { required: true, content: { 'application/json': { schema: route.body } } } }),
    },
    responses: route.responses,
  });
}
