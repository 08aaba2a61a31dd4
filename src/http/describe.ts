/** The OpenAPI description of a route, from the schemas that validate it. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
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
  503: 'A needed part is not available',
};

const emotion = z.object({ label: z.string(), probability: z.number() });
const safety = z.object({
  level: z.int().min(0).max(3),
  flags: z.array(z.string()),
  route: z.enum(['converse', 'crisis', 'boundary']),
});

export const emotionsJson = z
  .object({
    emotions: z.array(emotion),
    abstained: z.boolean(),
    abstain_reason: z.string().optional(),
    risk: safety.omit({ route: true }),
    route: safety.shape.route,
    reasons: z.array(z.string()),
  })
  .openapi('Emotions');

export const turnJson = z
  .object({
    turn_id: z.string(),
    session_id: z.string(),
    text: z.string(),
    finish_reason: z.enum(['stop', 'length', 'guard', 'degraded', 'interrupted']),
    affect: z.looseObject({ emotions: z.array(emotion) }).nullable(),
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
