/** A watch on the raw completions of an engine: what came in, what ran on after an abort. */
import {
  isRaw,
  type RawCompletions,
  type RawEngine,
  type RawRequest,
} from '../../src/engine/raw.ts';
import type { Engine } from '../../src/engine/types.ts';

/** Records completions; those of several tokens can be held after their first one. */
export class RawWatch {
  readonly requests: RawRequest[] = [];
  /** Hold completions of more than one token after the first until they are aborted. */
  hold = false;
  tokensAfterAbort = 0;
  finished = 0;
  #announce = () => {};

  /** Put the watch in front of an engine. */
  before(engine: Engine): RawEngine {
    if (!isRaw(engine)) throw new Error('an engine without raw completions');
    const { raw } = engine;
    const complete: RawCompletions['complete'] = (request, signal) =>
      this.#complete(raw, request, signal);
    return {
      info: engine.info,
      prepare: (conversation, reserve) => engine.prepare(conversation, reserve),
      readHeads: (prompt, signal) => engine.readHeads(prompt, signal),
      generate: (prompt, request, signal) => engine.generate(prompt, request, signal),
      countReply: (text) => engine.countReply(text),
      score: (prompt, replies, judge, signal) => engine.score(prompt, replies, judge, signal),
      close: () => engine.close(),
      raw: {
        vocabularySize: raw.vocabularySize,
        encode: (text) => raw.encode(text),
        textOf: (token) => raw.textOf(token),
        nameOf: (token) => raw.nameOf(token),
        complete,
      },
    };
  }

  /** Resolves when so many completions are over. */
  async untilFinished(count: number): Promise<void> {
    while (this.finished < count) {
      await new Promise<void>((resolve) => {
        this.#announce = resolve;
      });
    }
  }

  async *#complete(
    raw: RawCompletions,
    request: RawRequest,
    signal: AbortSignal,
  ): ReturnType<RawCompletions['complete']> {
    this.requests.push(request);
    const held = this.hold && request.maxTokens > 1;
    try {
      for await (const event of raw.complete(request, signal)) {
        if (signal.aborted && event.type === 'token') this.tokensAfterAbort++;
        yield event;
        if (held && event.type === 'token') await aborted(signal);
      }
    } finally {
      this.finished++;
      this.#announce();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
