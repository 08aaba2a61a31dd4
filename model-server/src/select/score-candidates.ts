/** Likelihoods of candidates, with a context and without one. */
import type { Conversation, Engine, Prompt, ReplyScore } from '../engine/types.ts';
import { type PriorCache, priorsOf } from './prior-cache.ts';

/** What the model says of one candidate, in nats; all under the intent `any`. */
export interface CandidateScore {
  /** Tokens, the end token included. */
  readonly tokens: number;
  /** log P(reply, end | context). */
  readonly logprob: number;
  /** log P(reply, end | persona alone). */
  readonly prior: number;
  /** ln P(good) - ln P(bad); null when it was not asked for or has no mass. */
  readonly judge: number | null;
}

/** One context and its candidates. */
export interface ScoringWork {
  readonly engine: Engine;
  readonly conversation: Conversation;
  /** The conversation's prompt, which must leave `reserve` tokens free. */
  readonly prompt: Prompt;
  /** Tokens of the longest candidate with its end. */
  readonly reserve: number;
  /** Normalised, none empty. */
  readonly texts: readonly string[];
  /** Whether the judge is asked. */
  readonly judge: boolean;
  readonly signal: AbortSignal;
}

/**
 * Score candidates over one evaluation of the context. Equal texts are scored once, so that they
 * have equal scores; priors come from the cache where they are known.
 * @returns one score per text, in order
 * @throws the signal's reason, and what the engine throws
 */
export async function scoreCandidates(work: ScoringWork): Promise<readonly CandidateScore[]> {
  const { engine, prompt, texts, judge, signal } = work;
  const unique = [...new Set(texts)];
  const scores = await engine.score(prompt, unique.map(unsteered), judge, signal);
  // Priors take a sequence and its state: not for a client that left (case G01).
  signal.throwIfAborted();
  const priors = await findPriors(work, unique);
  const found = new Map<string, CandidateScore>();
  for (const [index, text] of unique.entries()) {
    const score = scores[index];
    const prior = priors[index];
    if (score === undefined || prior === undefined) throw new Error('the engine left a score out');
    found.set(text, {
      tokens: score.tokens.length,
      logprob: total(score),
      prior,
      judge: score.judge,
    });
  }
  return texts.flatMap((text) => found.get(text) ?? []);
}

async function findPriors(work: ScoringWork, texts: readonly string[]): Promise<number[]> {
  const { engine, conversation, reserve, signal } = work;
  const { persona } = conversation;
  const cache: PriorCache = priorsOf(engine);
  const known = new Map<string, number>();
  for (const text of texts) {
    const prior = cache.get(persona, text);
    if (prior !== undefined) known.set(text, prior);
  }
  const missing = texts.filter((text) => !known.has(text));
  if (missing.length > 0) {
    const empty = engine.prepare({ persona, turns: [], emotion: null }, reserve);
    // The conversation's prompt has the same persona and the same room.
    if (!empty.ok) throw new Error('no room for the persona');
    const scores = await engine.score(empty.value, missing.map(unsteered), false, signal);
    for (const [index, text] of missing.entries()) {
      const score = scores[index];
      if (score === undefined) continue;
      known.set(text, total(score));
      cache.set(persona, text, total(score));
    }
  }
  return texts.flatMap((text) => known.get(text) ?? []);
}

function unsteered(text: string) {
  return { text, intent: 'any' } as const;
}

function total(score: ReplyScore): number {
  return score.logprobs.reduce((sum, logprob) => sum + logprob, 0);
}
