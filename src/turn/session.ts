/**
 * The second half of a turn, inside the session's Durable Object: rules again, plan, generate,
 * guard, events. The first half is edge.ts.
 *
 * `prepareTurn` does everything that may still be refused with a status; `Prepared.play` emits the
 * events and always ends with exactly one terminal event.
 */
import type { Affect, DialogueTurn } from '../affect/types.ts';
import { recentTurns } from '../generate/context.ts';
import { degradedReply } from '../generate/degraded.ts';
import { openUpstream, type UpstreamFailure, type UpstreamOptions } from '../generate/upstream.ts';
import { planResponse } from '../plan/plan.ts';
import {
  advance,
  createGuard,
  GUARD_REPLY,
  gate,
  needsProtocol,
  pinnedEvent,
  priorRisk,
  respond,
  type SafetyEvent,
  type SafetyMemory,
} from '../safety/index.ts';
import type { FinishReason, TurnEvent, Usage } from './events.ts';

export interface TurnInput {
  readonly text: string;
  /** Earlier turns, oldest first. */
  readonly history: readonly DialogueTurn[];
  readonly affect: Affect | null;
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

/** Only a full upstream refuses a turn; any other trouble degrades it. */
export async function prepareTurn(input: TurnInput, deps: TurnDeps): Promise<Preparation> {
  const started = deps.now();
  const verdict = gate({
    history: input.history,
    text: input.text,
    prior: priorRisk(input.memory),
  });
  const memory = advance(input.memory, verdict, new Date(started).toISOString());
  if (verdict.route === 'crisis' || needsProtocol(memory)) {
    const reply = respond({
      gate: verdict,
      memory,
      region: input.region,
      locale: input.locale,
      history: input.history,
      text: input.text,
    });
    return {
      ok: true,
      prepared: { play: async (emit) => playProtocol(reply, emit, deps, started) },
    };
  }
  const plan = planResponse({ affect: input.affect });
  const messages = recentTurns([...input.history, { role: 'user', text: input.text }]);
  const opened = await openUpstream(
    { messages, intent: plan.intent },
    { ...deps.upstream, signal: deps.signal },
  );
  if (!opened.ok && opened.failure.kind === 'busy') {
    return { ok: false, retry_after: opened.failure.retry_after };
  }
  const pinned = pinnedEvent({ memory, gate: verdict, region: input.region, locale: input.locale });
  const play: Prepared['play'] = async (emit) => {
    if (input.affect !== null) emit(affectEvent(input.affect));
    if (pinned !== null) emit({ event: 'safety', data: pinned });
    const safety = { level: memory.level, flags: verdict.flags, route: 'converse' } as const;
    const run = new Reply(emit, deps, started, input);
    const end = opened.ok ? await run.relay(opened.chunks, plan) : run.degrade(opened.failure);
    return { ...end, memory, safety };
  };
  return { ok: true, prepared: { play } };
}

function affectEvent(affect: Affect): TurnEvent {
  return {
    event: 'affect',
    data: {
      emotions: affect.emotions.slice(0, 5),
      causes: [],
      intensity: null,
      abstained: affect.abstained,
    },
  };
}

function playProtocol(
  reply: ReturnType<typeof respond>,
  emit: (event: TurnEvent) => void,
  deps: TurnDeps,
  started: number,
): TurnOutcome {
  emit({ event: 'safety', data: reply.event });
  emit({ event: 'delta', data: { text: reply.text } });
  const total = deps.now() - started;
  emit({
    event: 'done',
    data: {
      finish_reason: 'stop',
      usage: NO_USAGE,
      timings: { affect_ms: null, first_delta_ms: total, total_ms: total },
    },
  });
  return {
    text: reply.text,
    finish: 'stop',
    intent: null,
    memory: reply.memory,
    safety: reply.event,
  };
}

const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

type ReplyEnd = Pick<TurnOutcome, 'text' | 'finish' | 'intent'>;
type Opened = Extract<Awaited<ReturnType<typeof openUpstream>>, { ok: true }>;

/** One generated reply on its way out: guard, deltas, terminal event. */
class Reply {
  readonly #emit: (event: TurnEvent) => void;
  readonly #deps: TurnDeps;
  readonly #started: number;
  readonly #input: TurnInput;
  #text = '';
  #firstDelta: number | null = null;
  #usage: Usage = NO_USAGE;
  #intent: string | null = null;

  constructor(emit: (event: TurnEvent) => void, deps: TurnDeps, started: number, input: TurnInput) {
    this.#emit = emit;
    this.#deps = deps;
    this.#started = started;
    this.#input = input;
  }

  async relay(chunks: Opened['chunks'], plan: ReturnType<typeof planResponse>): Promise<ReplyEnd> {
    const guard = createGuard();
    let finish: string | null = null;
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) {
        if (guard.blocked === null) this.#say(guard.flush());
        if (guard.blocked !== null) return this.#guarded();
        if (step.value !== null) return this.#broken(step.value);
        return this.#end(finish === 'length' ? 'length' : 'stop');
      }
      const chunk = step.value;
      if (chunk.heads !== null) {
        this.#intent = chunk.heads.intent;
        this.#emit({ event: 'plan', data: { ...plan, intent: plan.intent ?? chunk.heads.intent } });
      }
      if (chunk.usage !== null) this.#usage = usageOf(chunk.usage);
      finish ??= chunk.finish;
      if (chunk.text !== '') this.#say(guard.push(chunk.text));
      if (guard.blocked !== null) {
        await chunks.return(null);
        return this.#guarded();
      }
    }
  }

  /** The upstream could not be reached, or broke before a word was said. */
  degrade(_failure: UpstreamFailure): ReplyEnd {
    if (this.#deps.signal.aborted) return this.#end('interrupted');
    this.#say(degradedReply(this.#input.affect));
    return this.#end('degraded');
  }

  #broken(failure: UpstreamFailure): ReplyEnd {
    return this.#text === '' ? this.degrade(failure) : this.#end('interrupted');
  }

  #guarded(): ReplyEnd {
    const separator = this.#text === '' || /\s$/.test(this.#text) ? '' : ' ';
    this.#say(separator + GUARD_REPLY);
    return this.#end('guard');
  }

  #say(text: string): void {
    if (text === '') return;
    this.#firstDelta ??= this.#deps.now() - this.#started;
    this.#text += text;
    this.#emit({ event: 'delta', data: { text } });
  }

  #end(finish: FinishReason): ReplyEnd {
    this.#emit({
      event: 'done',
      data: {
        finish_reason: finish,
        usage: this.#usage,
        timings: {
          affect_ms: this.#input.affectMs,
          first_delta_ms: this.#firstDelta,
          total_ms: this.#deps.now() - this.#started,
        },
      },
    });
    return { text: this.#text, finish, intent: this.#intent };
  }
}

function usageOf(usage: { prompt_tokens: number; completion_tokens: number }): Usage {
  return { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
}
