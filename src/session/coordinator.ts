/**
 * One coordinator per session: the only writer of its record. It numbers messages, runs them one
 * at a time, streams the running one to whoever listens and stores the outcome.
 *
 * Own storage first (it survives an eviction), KV second (it is read from anywhere): a message is
 * on disk before anything else happens to it.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Affect, DialogueTurn, Reading } from '../affect/types.ts';
import type { Env } from '../env.ts';
import { LEASE_MS, MAX_QUEUED, MAX_TURN_GAP, TURN_MS } from '../limits.ts';
import { initialMemory, type SafetyMemory } from '../safety/index.ts';
import { audienceTimer } from '../stream/audience.ts';
import { Broadcast } from '../stream/broadcast.ts';
import { prepareTurn, type TurnOutcome } from '../turn/session.ts';
import { Archive } from './archive.ts';
import { turnId } from './ids.ts';
import { TurnQueue } from './queue.ts';
import type { PendingTurn, SessionHeader, SessionView, TurnRecord } from './record.ts';
import { SessionStore } from './store.ts';
import { answered, unanswered } from './turn-record.ts';

export type Admission =
  | {
      readonly kind: 'admitted';
      readonly n: number;
      readonly history: readonly DialogueTurn[];
    }
  | { readonly kind: 'session_not_found' | 'turn_in_progress' };

export type Run =
  | { readonly kind: 'stream'; readonly frames: ReadableStream<Uint8Array> }
  | { readonly kind: 'model_busy'; readonly retry_after: number }
  | { readonly kind: 'turn_not_found' };

export interface RunRequest {
  readonly n: number;
  readonly affect: Reading | null;
  readonly affectMs: number | null;
  readonly requestId: string;
}

interface Running {
  readonly n: number;
  readonly control: AbortController;
  readonly lease: ReturnType<typeof setTimeout>;
  started: boolean;
}

export class SessionCoordinator extends DurableObject<Env> {
  readonly #store: SessionStore;
  readonly #archive: Archive;
  readonly #queue = new TurnQueue();
  #running: Running | null = null;
  #epoch = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new SessionStore(ctx.storage);
    this.#archive = new Archive(env.STATE);
    // Storage only, no network: nothing may be admitted before the last run's leftovers are closed.
    void ctx.blockConcurrencyWhile(async () => {
      this.#epoch = this.#store.nextEpoch();
      await this.#closeLeftovers();
    });
  }

  async create(header: SessionHeader): Promise<void> {
    this.#store.putHeader(header);
    this.#store.putSafety(initialMemory());
    await this.#archive.putHeader(header);
    await this.#scheduleExpiry(header);
  }

  /** Number a message, keep it, wait for its place at the head of the queue. */
  async admit(input: {
    sessionId: string;
    text: string;
    urgent: boolean;
    onConflict: 'queue' | 'reject';
  }): Promise<Admission> {
    if ((await this.#header(input.sessionId)) === null) return { kind: 'session_not_found' };
    const busy = this.#queue.running !== null;
    if (
      !input.urgent &&
      busy &&
      (input.onConflict === 'reject' || this.#queue.size >= MAX_QUEUED)
    ) {
      return { kind: 'turn_in_progress' };
    }
    const pending: PendingTurn = {
      n: this.#store.nextNumber(),
      at: new Date().toISOString(),
      text: input.text,
    };
    this.#store.putPending(pending);
    // A disclosure is not made to wait for another answer to finish.
    if (input.urgent) this.#running?.control.abort();
    if (!(await this.#queue.enter(pending.n, input.urgent))) return { kind: 'session_not_found' };
    const lease = setTimeout(() => void this.#abandon(pending.n), LEASE_MS);
    this.#running = { n: pending.n, control: new AbortController(), lease, started: false };
    return { kind: 'admitted', n: pending.n, history: this.#history() };
  }

  /** Answer the message at the head of the queue. The turn goes on if the caller leaves. */
  async run(request: RunRequest): Promise<Run> {
    const running = this.#running;
    const pending = this.#store.pending(request.n);
    const header = this.#store.header();
    if (running?.n !== request.n || running.started || pending === null || header === null) {
      return { kind: 'turn_not_found' };
    }
    running.started = true;
    clearTimeout(running.lease);
    const deadline = setTimeout(() => running.control.abort(), TURN_MS);
    const preparation = await prepareTurn(
      {
        text: pending.text,
        history: this.#history(),
        affect: request.affect,
        affectMs: request.affectMs,
        memory: this.#store.safety() ?? initialMemory(),
        region: header.region,
        locale: header.locale,
      },
      {
        upstream: {
          baseUrl: this.env.MODEL_SERVER_URL,
          token: this.env.MODEL_SERVER_TOKEN,
          model: this.env.MODEL_NAME,
          requestId: request.requestId,
        },
        signal: running.control.signal,
        now: Date.now,
      },
    );
    if (!preparation.ok) {
      clearTimeout(deadline);
      this.#store.dropPending(request.n);
      this.#release(request.n);
      return { kind: 'model_busy', retry_after: preparation.retry_after };
    }
    const broadcast = new Broadcast({
      epoch: this.#epoch,
      turn: request.n,
      onAudience: audienceTimer(() => running.control.abort()),
    });
    const frames = broadcast.listen();
    broadcast.emit({
      event: 'turn',
      data: { turn_id: turnId(request.n), session_id: header.session_id },
    });
    const ending = preparation.prepared
      .play((event) => broadcast.emit(event))
      .then((outcome) => this.#finish(header, pending, request.affect, outcome))
      .catch((error: unknown) => {
        console.error('turn failed', error instanceof Error ? error.name : 'unknown');
        broadcast.emit({
          event: 'error',
          data: { code: 'internal', message: 'Something went wrong on our side.' },
        });
        return this.#abandon(request.n);
      })
      .finally(() => {
        clearTimeout(deadline);
        broadcast.close();
        this.#release(request.n);
      });
    this.ctx.waitUntil(ending);
    return { kind: 'stream', frames };
  }

  /** Stop a running turn; what was said so far is kept. */
  async stop(n: number): Promise<'stopped' | 'not_running' | 'turn_not_found'> {
    if (this.#running?.n === n && this.#running.started) {
      this.#running.control.abort();
      return 'stopped';
    }
    return this.#store.turn(n) === null ? 'turn_not_found' : 'not_running';
  }

  async view(sessionId: string): Promise<SessionView | null> {
    const header = await this.#header(sessionId);
    if (header === null) return null;
    const memory = this.#store.safety() ?? initialMemory();
    return {
      session_id: header.session_id,
      created_at: header.created_at,
      locale: header.locale,
      region: header.region,
      retention_days: header.retention_days,
      safety: { state: memory.state, level: memory.level, since: memory.since },
      turns: this.#store.turns(),
      last_n: this.#store.lastNumber(),
    };
  }

  /** Erase everything of this session, here and in KV. False when there is none. */
  async erase(sessionId: string): Promise<boolean> {
    const header = await this.#header(sessionId);
    if (header === null) return false;
    const last = this.#store.lastNumber();
    this.#running?.control.abort();
    this.#queue.clear();
    this.#store.clear();
    await this.ctx.storage.deleteAlarm();
    await this.#archive.erase(header.session_id, last);
    return true;
  }

  /** Retention is over: KV's records expire by themselves, ours go here. */
  override async alarm(): Promise<void> {
    this.#store.clear();
  }

  async #finish(
    header: SessionHeader,
    pending: PendingTurn,
    affect: Affect | null,
    outcome: TurnOutcome,
  ): Promise<void> {
    await this.#keep(header, answered(pending, affect, outcome), outcome.memory);
  }

  /** Close a message that will not be answered: its text is kept, the answer is `interrupted`. */
  async #abandon(n: number): Promise<void> {
    const pending = this.#store.pending(n);
    const header = this.#store.header();
    if (pending !== null && header !== null) {
      const memory = this.#store.safety() ?? initialMemory();
      await this.#keep(header, unanswered(pending, memory), memory);
    }
    this.#release(n);
  }

  async #keep(header: SessionHeader, record: TurnRecord, memory: SafetyMemory): Promise<void> {
    if (this.#store.header() === null) return; // erased meanwhile
    const before = this.#store.safety();
    this.#store.putTurn(record);
    this.#store.putSafety(memory);
    await this.#archive.putTurn(header, record);
    if (JSON.stringify(before) !== JSON.stringify(memory)) {
      await this.#archive.putSafety(header, memory);
    }
    await this.#scheduleExpiry(header);
  }

  #release(n: number): void {
    if (this.#running?.n !== n) return;
    clearTimeout(this.#running.lease);
    this.#running = null;
    this.#queue.leave(n);
  }

  /** Messages that were waiting or running when the last instance ended. */
  async #closeLeftovers(): Promise<void> {
    for (const pending of this.#store.allPending()) await this.#abandon(pending.n);
  }

  #history(): readonly DialogueTurn[] {
    return this.#store
      .recentTurns()
      .flatMap((turn): DialogueTurn[] => [
        { role: 'user', text: turn.user.text },
        ...(turn.assistant.text === ''
          ? []
          : [{ role: 'assistant', text: turn.assistant.text } as const]),
      ]);
  }

  /** The header, brought back from KV by exact keys when this object's own storage is new. */
  async #header(sessionId: string): Promise<SessionHeader | null> {
    const own = this.#store.header();
    if (own !== null) return own;
    const header = await this.#archive.getHeader(sessionId);
    if (header === null) return null;
    const memory = await this.#archive.getSafety(sessionId);
    for (let n = 1, misses = 0; misses < MAX_TURN_GAP; n++) {
      const turn = await this.#archive.getTurn(sessionId, n);
      misses = turn === null ? misses + 1 : 0;
      if (turn !== null) this.#store.putTurn(turn);
    }
    this.#store.putHeader(header);
    this.#store.putSafety(memory ?? initialMemory());
    return header;
  }

  async #scheduleExpiry(header: SessionHeader): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + header.retention_days * 86_400_000);
  }
}
