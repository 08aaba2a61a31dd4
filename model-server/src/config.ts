/** Configuration from environment variables. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { CONTEXT_GRANULE, MIN_CONTEXT_SIZE } from './constants.ts';
import { failed, type Result, success } from './result.ts';
import type { ServerOptions } from './server.ts';

/** Where the committed weights are. */
export const DEFAULT_MODEL_PATH = fileURLToPath(new URL('../models/attune-135m', import.meta.url));

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max).optional();

const schema = z.object({
  PORT: whole(0, 65_535),
  HOST: z.string().optional(),
  MODEL_PATH: z.string().default(DEFAULT_MODEL_PATH),
  MODEL_SERVER_TOKEN: z.string().optional(),
  MODEL_SEQUENCES: whole(1, 64),
  MODEL_QUEUE_LENGTH: whole(0, 10_000),
  MODEL_CONTEXT_SIZE: whole(MIN_CONTEXT_SIZE, 131_072).refine(
    (size) => size === undefined || size % CONTEXT_GRANULE === 0,
    `must be a multiple of ${CONTEXT_GRANULE}`,
  ),
  MODEL_THREADS: whole(1, 256),
  MODEL_GPU: z.enum(['auto', 'false']).optional(),
  MODEL_SHUTDOWN_MS: whole(0, 600_000),
  MODEL_RETRIEVAL_INDEX: z.string().optional(),
  MODEL_ENGINE: z.enum(['llama-cpp', 'openai-completions']).default('llama-cpp'),
  // fetch refuses credentials in a URL, and a path is put behind it.
  ENGINE_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isBareUrl, 'must hold no user name, password, query or fragment')
    .optional(),
  ENGINE_TOKEN: z
    .string()
    .regex(/^[!-~]+$/, 'must consist of visible ASCII characters, without white space')
    .optional(),
  ENGINE_MODEL: z.string().optional(),
  ENGINE_SCORING: z.enum(['auto', 'true', 'false']).default('auto'),
  ENGINE_TIMEOUT_MS: whole(100, 600_000),
});

function isBareUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '' && !/[?#]/.test(text);
}

/** What `ENGINE_SCORING` says. */
const SCORING = { auto: 'auto', true: true, false: false } as const;

/** What is wrong with the environment; names variables, never values. */
export interface ConfigFailure {
  readonly message: string;
}

/** Read the environment; empty variables count as unset. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): Result<ServerOptions, ConfigFailure> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return failed({
      message: `${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'invalid'}`,
    });
  }
  const config = parsed.data;
  const remote = readRemote(config);
  if (!remote.ok) return remote;
  return success({
    modelPath: config.MODEL_PATH,
    ...(remote.value === null ? {} : { remote: remote.value }),
    ...(config.MODEL_RETRIEVAL_INDEX === undefined
      ? {}
      : { retrievalIndex: config.MODEL_RETRIEVAL_INDEX }),
    ...(config.PORT === undefined ? {} : { port: config.PORT }),
    ...(config.HOST === undefined ? {} : { host: config.HOST }),
    ...(config.MODEL_SERVER_TOKEN === undefined ? {} : { token: config.MODEL_SERVER_TOKEN }),
    ...(config.MODEL_SEQUENCES === undefined ? {} : { sequences: config.MODEL_SEQUENCES }),
    ...(config.MODEL_QUEUE_LENGTH === undefined ? {} : { queueLength: config.MODEL_QUEUE_LENGTH }),
    ...(config.MODEL_CONTEXT_SIZE === undefined ? {} : { contextSize: config.MODEL_CONTEXT_SIZE }),
    ...(config.MODEL_THREADS === undefined ? {} : { threads: config.MODEL_THREADS }),
    ...(config.MODEL_GPU === 'auto' ? { gpu: 'auto' as const } : {}),
    ...(config.MODEL_SHUTDOWN_MS === undefined ? {} : { shutdownMs: config.MODEL_SHUTDOWN_MS }),
  });
}

/** The remote engine; null for the one in the process. */
function readRemote(
  config: z.output<typeof schema>,
): Result<NonNullable<ServerOptions['remote']> | null, ConfigFailure> {
  if (config.MODEL_ENGINE === 'llama-cpp') return success(null);
  if (config.ENGINE_URL === undefined) {
    const message =
      'ENGINE_URL: must be set to the base URL of the engine (http://host:port/v1) when MODEL_ENGINE is openai-completions';
    return failed({ message });
  }
  return success({
    url: config.ENGINE_URL,
    scoring: SCORING[config.ENGINE_SCORING],
    ...(config.ENGINE_TOKEN === undefined ? {} : { token: config.ENGINE_TOKEN }),
    ...(config.ENGINE_MODEL === undefined ? {} : { model: config.ENGINE_MODEL }),
    ...(config.ENGINE_TIMEOUT_MS === undefined ? {} : { timeoutMs: config.ENGINE_TIMEOUT_MS }),
  });
}
