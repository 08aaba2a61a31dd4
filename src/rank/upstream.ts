/** Candidates ranked by the model server; everything that can go wrong on the way is a value. */
import { z } from '@hono/zod-openapi';
import type { DialogueTurn } from '../affect/types.ts';
import type { Failure } from '../http/failure.ts';
import { RANK_MS } from '../limits.ts';
import { fail, ok, type Result } from '../result.ts';

export interface RankRequest {
  readonly messages: readonly DialogueTurn[];
  readonly candidates: readonly string[];
}

export interface RankOptions {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly model: string;
  readonly requestId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

const result = z.object({
  index: z.int().nonnegative(),
  score: z.number(),
  pmi: z.number(),
  logprob: z.number(),
  prior: z.number(),
  judge: z.number().nullable(),
  tokens: z.int(),
});

const answer = z.object({
  model: z.string(),
  results: z.array(result),
  usage: z.object({
    prompt_tokens: z.int(),
    candidate_tokens: z.int(),
    attune_trimmed_turns: z.int(),
  }),
});

/** What the model server says: `results` best first, all candidates, in nats. */
export type Ranking = z.infer<typeof answer>;

const refusal = z.object({ error: z.object({ param: z.string().nullable() }) });

const CANDIDATE = /^candidates\.\d+$/;
const DEFAULT_RETRY_SECONDS = 2;

/**
 * Rank candidates.
 * @returns `model_busy` (with its Retry-After), `candidate_too_long`, `ranking_not_supported`, and
 * `model_unavailable` for anything else, an answer that is not a ranking included
 */
export async function askRanking(
  request: RankRequest,
  options: RankOptions,
): Promise<Result<Ranking, Failure>> {
  try {
    const response = await fetch(`${options.baseUrl}/v1/rank`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': options.requestId,
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      body: JSON.stringify({
        model: options.model,
        messages: request.messages.map(({ role, text }) => ({ role, content: text })),
        candidates: request.candidates,
      }),
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(RANK_MS)]),
    });
    if (!response.ok) return fail(await failureOf(response));
    const ranking = answer.safeParse(await response.json());
    return ranking.success && isComplete(ranking.data, request.candidates.length)
      ? ok(ranking.data)
      : fail({ kind: 'model_unavailable' });
  } catch {
    return fail({ kind: 'model_unavailable' });
  }
}

/** Every candidate once. */
function isComplete(ranking: Ranking, candidates: number): boolean {
  const named = new Set(ranking.results.map(({ index }) => index));
  return (
    ranking.results.length === candidates &&
    named.size === candidates &&
    ranking.results.every(({ index }) => index < candidates)
  );
}

async function failureOf(response: Response): Promise<Failure> {
  if (response.status === 400) {
    const body = refusal.safeParse(await response.json());
    const param = body.success ? body.data.error.param : null;
    // The edge checked all else; how many tokens a text has only the model server knows.
    return param !== null && CANDIDATE.test(param)
      ? { kind: 'candidate_too_long', param }
      : { kind: 'model_unavailable' };
  }
  await response.body?.cancel();
  if (response.status === 501) return { kind: 'ranking_not_supported' };
  if (response.status !== 429) return { kind: 'model_unavailable' };
  const seconds = Number(response.headers.get('retry-after'));
  const retry_after = seconds > 0 ? Math.ceil(seconds) : DEFAULT_RETRY_SECONDS;
  return { kind: 'model_busy', retry_after };
}
