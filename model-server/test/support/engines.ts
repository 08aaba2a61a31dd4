/** The real engine with a fault or a gate in front of its generations. */
import type { Engine, GenerationEvent } from '../../src/engine/types.ts';

type Events = AsyncGenerator<GenerationEvent, void, void>;

function withGenerate(
  engine: Engine,
  around: (events: Events, signal: AbortSignal) => Events,
): Engine {
  return {
    info: engine.info,
    prepare: (conversation, reserve) => engine.prepare(conversation, reserve),
    readHeads: (prompt, signal) => engine.readHeads(prompt, signal),
    generate: (prompt, request, signal) => around(engine.generate(prompt, request, signal), signal),
    countReply: (text) => engine.countReply(text),
    score: (prompt, replies, judge, signal) => engine.score(prompt, replies, judge, signal),
    close: () => engine.close(),
  };
}

/** Generations break after `tokens` tokens while `broken()` says so. */
export function breaking(engine: Engine, tokens: number, broken: () => boolean): Engine {
  return withGenerate(engine, async function* breakAfter(events) {
    let seen = 0;
    for await (const event of events) {
      if (broken() && event.type === 'token' && seen++ === tokens) {
        throw new Error('the machine is on fire');
      }
      yield event;
    }
  });
}

/** A gate that generations reach after their first token. */
export class Gate {
  readonly #waiting = new Set<() => void>();
  #open = false;
  /** Generations that have started. */
  started = 0;
  /** Tokens that came out of the engine after a generation's abort. */
  tokensAfterAbort = 0;
  /** Generations that are over, however they ended. */
  finished = 0;
  readonly #changed = new Set<() => void>();

  /** Put the gate in front of an engine. */
  before(engine: Engine): Engine {
    const gate = this;
    return withGenerate(engine, async function* gated(events, signal) {
      gate.started++;
      gate.#announce();
      try {
        let first = true;
        for await (const event of events) {
          if (signal.aborted && event.type === 'token') gate.tokensAfterAbort++;
          yield event;
          if (event.type === 'token' && first) {
            first = false;
            await gate.#pass(signal);
          }
        }
      } finally {
        gate.finished++;
        gate.#announce();
      }
    });
  }

  /** Let everyone through, now and later. */
  open(): void {
    this.#open = true;
    for (const go of this.#waiting) go();
  }

  /** Hold generations again. */
  shut(): void {
    this.#open = false;
  }

  /** Resolves when the condition holds; it is looked at whenever a generation starts or ends. */
  until(condition: (gate: Gate) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this)) return;
        this.#changed.delete(look);
        resolve();
      };
      this.#changed.add(look);
      look();
    });
  }

  #announce(): void {
    for (const look of this.#changed) look();
  }

  /** Held until the gate opens or the request is aborted: the engine itself must then stop. */
  #pass(signal: AbortSignal): Promise<void> {
    if (this.#open || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}
