/** Requests that use the engine, so that each can be ended: by its client or by a shutdown. */

/** Why a request was ended early. */
export type EndReason = 'client_gone' | 'shutting_down';

/** One request's life. */
export interface Run {
  readonly signal: AbortSignal;
  /** Why it was ended early; null while it was not. */
  reason(): EndReason | null;
  /** End it. The first reason stays. */
  end(reason: EndReason): void;
  /** It is over by itself; later aborts do nothing. */
  close(): void;
}

/** All requests that use the engine. */
export class Running {
  readonly #runs = new Set<Run>();

  /**
   * Open a run that ends when the client's connection does.
   * @param client the request's own signal
   */
  open(client: AbortSignal): Run {
    const control = new AbortController();
    let reason: EndReason | null = null;
    const end = (why: EndReason) => {
      reason ??= why;
      control.abort();
    };
    const gone = () => end('client_gone');
    if (client.aborted) gone();
    else client.addEventListener('abort', gone, { once: true });
    const run: Run = {
      signal: control.signal,
      reason: () => reason,
      end,
      close: () => {
        client.removeEventListener('abort', gone);
        this.#runs.delete(run);
      },
    };
    this.#runs.add(run);
    return run;
  }

  /** End every open run. */
  endAll(reason: EndReason): void {
    for (const run of this.#runs) run.end(reason);
  }
}
