/** What the routes share. */
import { MIN_RETRY_SECONDS } from '../constants.ts';
import { EngineFailure } from '../engine/failure.ts';
import type { Engine } from '../engine/types.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { JobKind, Queue } from '../queue/queue.ts';
import { failed, type Result, success } from '../result.ts';
import type { Retrieval } from '../select/retrieval.ts';
import { errorResponse, type Failure } from './failures.ts';
import type { Run, Running } from './running.ts';

/** Where the server stands. */
export type EngineState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly engine: Engine }
  | { readonly state: 'closing'; readonly engine: Engine | null };

/** Shared by all routes of one server. */
export interface ServerContext {
  readonly engineState: () => EngineState;
  readonly queue: Queue;
  readonly running: Running;
  readonly metrics: Metrics;
  /** Replies of people, where the operator gave an index of them. */
  readonly retrieval?: Retrieval;
  /** Bearer token; null for none. */
  readonly token: string | null;
  readonly keepAliveMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A seed for requests without one: 0 … 2^32 - 2. */
  readonly randomSeed: () => number;
  /** An unexpected error, for the operator; the client learns only that the engine failed. */
  readonly report: (error: unknown) => void;
}

/** The engine, or why there is none. */
export function engineOf(context: ServerContext): Result<Engine, Failure> {
  const state = context.engineState();
  switch (state.state) {
    case 'ready':
      return success(state.engine);
    case 'loading':
      return failed({ kind: 'loading' });
    case 'closing':
      return failed({ kind: 'shutting_down' });
  }
}

/** A place in the queue and the life of the request that has it. */
export interface Admission {
  readonly run: Run;
  /** Resolves to null when the engine may be used, else to why not. */
  readonly admitted: Promise<Failure | null>;
  /** Give everything back; more than once does no harm. */
  leave(): void;
}

/**
 * Enter the queue now. Nobody enters once a stop has begun: it waits for those inside, then frees the
 * engine.
 * @param client the request's signal
 * @param kind `batch` work lets conversations go first
 */
export function enterQueue(
  context: ServerContext,
  client: AbortSignal,
  kind: JobKind = 'chat',
): Result<Admission, Failure> {
  const engine = engineOf(context);
  if (!engine.ok) return engine;
  const run = context.running.open(client);
  const ticket = context.queue.enter(run.signal, kind);
  if (ticket === null) {
    run.close();
    context.metrics.count('attune_queue_rejected_total');
    return failed({ kind: 'queue_full', retryAfter: context.queue.retryAfterSeconds() });
  }
  return success({
    run,
    admitted: ticket.ready.then((go) => (go ? null : endedEarly(run))),
    leave: () => {
      run.close();
      ticket.release();
    },
  });
}

/**
 * Answer with one use of the engine: enter the queue, wait, work, give everything back. Never throws.
 * @param work gets the signal that ends it early
 */
export async function useEngine(
  context: ServerContext,
  client: AbortSignal,
  kind: JobKind,
  work: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const admission = enterQueue(context, client, kind);
  if (!admission.ok) return errorResponse(admission.failure);
  const { run, admitted, leave } = admission.value;
  try {
    const refused = await admitted;
    return refused === null ? await work(run.signal) : errorResponse(refused);
  } catch (error) {
    return errorResponse(failureOf(context, run, error));
  } finally {
    leave();
  }
}

/**
 * What a caught error means to the client; unexpected ones are reported.
 * @param error thrown by the engine
 */
export function failureOf(context: ServerContext, run: Run, error: unknown): Failure {
  if (run.signal.aborted) return endedEarly(run);
  context.report(error);
  if (error instanceof EngineFailure && error.kind === 'busy') {
    return {
      kind: 'queue_full',
      retryAfter: error.retryAfter ?? context.queue.retryAfterSeconds(),
    };
  }
  if (error instanceof EngineFailure && error.kind === 'unavailable') {
    return { kind: 'engine_unavailable', retryAfter: error.retryAfter ?? MIN_RETRY_SECONDS };
  }
  return { kind: 'internal' };
}

function endedEarly(run: Run): Failure {
  return { kind: run.reason() ?? 'client_gone' };
}
