/** Parameters of OpenAI's API that would change the answer and cannot be served: refused, not ignored. */
import type { Failure } from './failures.ts';

type Rule = {
  readonly param: string;
  readonly allowed: (value: unknown) => boolean;
  readonly why: string;
};

const none = () => false;
const emptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const RULES: readonly Rule[] = [
  { param: 'n', allowed: (value) => value === 1, why: 'only one choice (n = 1) is made' },
  {
    param: 'best_of',
    allowed: (value) => value === 1,
    why: 'attune.best_of makes several replies and gives one',
  },
  { param: 'tools', allowed: emptyList, why: 'the model calls no tools' },
  { param: 'functions', allowed: emptyList, why: 'the model calls no functions' },
  {
    param: 'tool_choice',
    allowed: (value) => value === 'none' || value === 'auto',
    why: 'the model calls no tools',
  },
  {
    param: 'function_call',
    allowed: (value) => value === 'none' || value === 'auto',
    why: 'the model calls no functions',
  },
  {
    param: 'logprobs',
    allowed: (value) => value === false,
    why: 'use POST /v1/score for log probabilities',
  },
  {
    param: 'top_logprobs',
    allowed: (value) => value === 0,
    why: 'use POST /v1/score for log probabilities',
  },
  {
    param: 'logit_bias',
    allowed: (value) =>
      typeof value === 'object' && value !== null && Object.keys(value).length === 0,
    why: 'token ids are not part of this API; attune.intent_bias steers the reply',
  },
  {
    param: 'response_format',
    allowed: (value) =>
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'text',
    why: 'replies are plain text',
  },
  {
    param: 'modalities',
    allowed: (value) => Array.isArray(value) && value.every((item) => item === 'text'),
    why: 'replies are text',
  },
  { param: 'audio', allowed: none, why: 'replies are text' },
];

/** The first unsupported parameter of a request body, or null. `null` values count as absent. */
export function findUnsupported(body: unknown): Failure | null {
  if (typeof body !== 'object' || body === null) return null;
  const given = new Map(Object.entries(body));
  for (const { param, allowed, why } of RULES) {
    const value: unknown = given.get(param);
    if (value === undefined || value === null || allowed(value)) continue;
    return { kind: 'unsupported_parameter', param, message: `${param} is not supported: ${why}.` };
  }
  return null;
}
