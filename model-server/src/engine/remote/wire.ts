/**
 * Answers of `/v1/completions` in the dialects that name token ids:
 * - vLLM (and this project's own server): OpenAI's `logprobs` with names `token_id:N`, and `token_ids`;
 * - llama.cpp's server: `logprobs.content[] = {id, logprob, top_logprobs: [{id, logprob}]}`.
 */
import { z } from 'zod';

const listed = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number().nullable()).nullable()).nullish(),
});

const entry = z.object({ id: z.int(), logprob: z.number().nullable() });
const itemised = z.object({
  content: z.array(entry.extend({ top_logprobs: z.array(entry).nullish() })),
});

const choice = z.object({
  text: z.string().nullish(),
  finish_reason: z.string().nullish(),
  logprobs: z.union([listed, itemised]).nullish(),
  token_ids: z.array(z.int()).nullish(),
});

/** A whole answer, or one frame of a stream. The last frame may have usage and no choice. */
export const answerSchema = z.object({
  choices: z.array(choice),
  usage: z
    .object({
      prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
    })
    .nullish(),
});

/** The models of a server; their context sizes under the name that each server has for it. */
export const modelsSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        max_model_len: z.int().nullish(),
        context_length: z.int().nullish(),
        meta: z.object({ n_ctx: z.int().nullish() }).nullish(),
      }),
    )
    .min(1),
});

/** One position: its token and the likeliest ones, as natural logarithms. */
export interface Position {
  /** Null when the server names tokens by text. */
  readonly token: number | null;
  readonly logprob: number | null;
  readonly top: ReadonlyMap<number, number>;
}

/** One choice in the form that the engine works with. */
export interface Choice {
  /** Empty when there is none. */
  readonly text: string;
  readonly finishReason: string | null;
  readonly positions: readonly Position[];
  /** Ids of the generated tokens; null when the server does not give them. */
  readonly tokens: readonly number[] | null;
}

/** Read a choice of any dialect. */
export function readChoice(raw: z.output<typeof choice>): Choice {
  const positions = raw.logprobs ? positionsOf(raw.logprobs) : [];
  const named = positions.flatMap(({ token }) => (token === null ? [] : [token]));
  const complete = raw.logprobs && named.length === positions.length;
  return {
    text: raw.text ?? '',
    finishReason: raw.finish_reason ?? null,
    positions,
    tokens: raw.token_ids ?? (complete ? named : null),
  };
}

function positionsOf(
  logprobs: z.output<typeof listed> | z.output<typeof itemised>,
): readonly Position[] {
  if ('content' in logprobs) {
    return logprobs.content.map(({ id, logprob, top_logprobs: top }) => ({
      token: id,
      logprob,
      top: new Map((top ?? []).flatMap((one) => pair(one.id, one.logprob))),
    }));
  }
  return logprobs.tokens.map((name, index) => ({
    token: idOf(name),
    logprob: logprobs.token_logprobs[index] ?? null,
    top: new Map(
      Object.entries(logprobs.top_logprobs?.[index] ?? {}).flatMap(([token, logprob]) =>
        pair(idOf(token), logprob),
      ),
    ),
  }));
}

function pair(id: number | null, logprob: number | null): [number, number][] {
  return id === null || logprob === null ? [] : [[id, logprob]];
}

function idOf(name: string): number | null {
  const digits = /^token_id:(\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
