/**
 * The second half of a turn, inside the session's Durable Object: rules again, plan, generate,
 * guard, events. The first half is edge.ts.
 *
 * `prepareTurn` does everything that may still be refused with a status; `Prepared.play` emits the
 * events and always ends with exactly one terminal event.
 */
import type { DialogueTurn, Reading } from '../affect/types.ts';
import { recentTurns } from '../generate/context.ts';
import { otherLanguageReply } from '../generate/other-language.ts';
import { openUpstream, type UpstreamOptions } from '../generate/upstream.ts';
import { planResponse } from '../plan/plan.ts';
import {
  advance,
  asksWhoIsThere,
  gate,
  identityReply,
  needsProtocol,
  pinnedEvent,
  priorRisk,
  respond,
  type SafetyEvent,
  type SafetyMemory,
} from '../safety/index.ts';
import { affectEvent, type FinishReason, type TurnEvent } from './events.ts';
import { Reply, type ReplyEnd } from './reply.ts';

export interface TurnInput {
  readonly text: string;
  /** Earlier turns, oldest first. */
  readonly history: readonly DialogueTurn[];
  readonly affect: Reading | null;
  /** Milliseconds the edge spent on the classifier, or null. */
  readonly affectMs: number | null;
  readonly memory: SafetyMemory;
  readonly region: string;
  readonly locale: string | null;
}

export interface TurnDeps {
  readonly upstream: Omit<UpstreamOptions, 'signal'>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** What is left to store when the turn has ended. */
export interface TurnOutcome {
  readonly text: string;
  readonly finish: FinishReason;
  readonly intent: string | null;
  readonly memory: SafetyMemory;
  readonly safety: Pick<SafetyEvent, 'level' | 'flags' | 'route'>;
}

export interface Prepared {
  /** Emit the turn's events (without the leading `turn`) and say what to store. Never throws. */
  play(emit: (event: TurnEvent) => void): Promise<TurnOutcome>;
}

export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly retry_after: number };

/**
 * Four ways to answer, in this order: the crisis protocol, the fixed answers to "are you a real
 * person?" and to another language than English, the language model. Only a full upstream refuses a turn; other trouble degrades it.
 */
export async function prepareTurn(input: TurnInput, deps: TurnDeps): Promise<Preparation> {
  const started = deps.now();
  const { history, text, region, locale } = input;
  const verdict = gate({ history, text, prior: priorRisk(input.memory) });
  const memory = advance(input.memory, verdict, new Date(started).toISOString());
  if (verdict.route === 'crisis' || needsProtocol(memory)) {
    const reply = respond({ gate: verdict, memory, region, locale, history, text });
    return ready(async (emit) => {
      emit({ event: 'safety', data: reply.event });
      const end = new Reply(emit, deps, started, input).written(reply.text);
      return { ...end, memory: reply.memory, safety: reply.event };
    });
  }
  const pinned = pinnedEvent({ memory, gate: verdict, region, locale });
  const safety = { level: memory.level, flags: verdict.flags, route: 'converse' } as const;
  const answer = (finish: (reply: Reply) => ReplyEnd | Promise<ReplyEnd>) =>
    ready(async (emit) => {
      if (input.affect !== null) {
        emit(affectEvent({ reading: input.affect, message: history.length }));
      }
      if (pinned !== null) emit({ event: 'safety', data: pinned });
      return { ...(await finish(new Reply(emit, deps, started, input))), memory, safety };
    });
  if (asksWhoIsThere(text)) {
    const said = history.flatMap((turn) => (turn.role === 'assistant' ? [turn.text] : []));
    return answer((reply) => reply.written(identityReply(said)));
  }
  if (input.affect?.abstain_reason === 'language') {
    const { language } = input.affect;
    return answer((reply) => reply.written(otherLanguageReply(language)));
  }
  const plan = planResponse({ affect: input.affect });
  const messages = recentTurns([...history, { role: 'user', text }]);
  const opened = await openUpstream(
    { messages, intent: plan.intent },
    { ...deps.upstream, signal: deps.signal },
  );
  if (!opened.ok && opened.failure.kind === 'busy') {
    return { ok: false, retry_after: opened.failure.retry_after };
  }
  return answer((reply) =>
    opened.ok ? reply.relay(opened.chunks, plan) : reply.degrade(opened.failure),
  );
}

function ready(play: Prepared['play']): Preparation {
  return { ok: true, prepared: { play } };
}
