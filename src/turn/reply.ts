/** One reply on its way out: guard, deltas, and exactly one terminal event. */
import { degradedReply } from '../generate/degraded.ts';
import type { openUpstream, UpstreamFailure } from '../generate/upstream.ts';
import type { Plan } from '../plan/plan.ts';
import { createGuard, GUARD_REPLY } from '../safety/index.ts';
import type { FinishReason, TurnEvent, Usage } from './events.ts';
import type { TurnDeps, TurnInput, TurnOutcome } from './session.ts';

const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export type ReplyEnd = Pick<TurnOutcome, 'text' | 'finish' | 'intent'>;
type Opened = Extract<Awaited<ReturnType<typeof openUpstream>>, { ok: true }>;

export class Reply {
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

  async relay(chunks: Opened['chunks'], plan: Plan): Promise<ReplyEnd> {
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

  /** A text that was not generated: the protocol's, or who is talking. */
  written(text: string): ReplyEnd {
    this.#say(text);
    return this.#end('stop');
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
