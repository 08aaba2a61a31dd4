/**
 * The coordinator's own storage (SQLite of its Durable Object). Calls are synchronous and every
 * write is durable before the object's next outgoing message (Cloudflare's output gate).
 */
import { CONTEXT_TURNS } from '../limits.ts';
import type { SafetyMemory } from '../safety/types.ts';
import type { PendingTurn, SessionHeader, TurnRecord } from './record.ts';

export class SessionStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#createTables();
  }

  header(): SessionHeader | null {
    return this.#get<SessionHeader>('header');
  }

  putHeader(header: SessionHeader): void {
    this.#put('header', header);
  }

  safety(): SafetyMemory | null {
    return this.#get<SafetyMemory>('safety');
  }

  putSafety(memory: SafetyMemory): void {
    this.#put('safety', memory);
  }

  /** Counts the lives of this object; part of every event id, so that a client notices a restart. */
  nextEpoch(): number {
    const epoch = (this.#get<number>('epoch') ?? 0) + 1;
    this.#put('epoch', epoch);
    return epoch;
  }

  lastNumber(): number {
    return this.#get<number>('last_n') ?? 0;
  }

  nextNumber(): number {
    const n = this.lastNumber() + 1;
    this.#put('last_n', n);
    return n;
  }

  pending(n: number): PendingTurn | null {
    return this.#rows<PendingTurn>('SELECT json FROM pending WHERE n = ?', n)[0] ?? null;
  }

  allPending(): readonly PendingTurn[] {
    return this.#rows<PendingTurn>('SELECT json FROM pending ORDER BY n');
  }

  putPending(turn: PendingTurn): void {
    const json = JSON.stringify(turn);
    this.#storage.sql.exec('INSERT OR REPLACE INTO pending (n, json) VALUES (?, ?)', turn.n, json);
  }

  dropPending(n: number): void {
    this.#storage.sql.exec('DELETE FROM pending WHERE n = ?', n);
  }

  turn(n: number): TurnRecord | null {
    return this.#rows<TurnRecord>('SELECT json FROM turns WHERE n = ?', n)[0] ?? null;
  }

  turns(): readonly TurnRecord[] {
    return this.#rows<TurnRecord>('SELECT json FROM turns ORDER BY n');
  }

  /** The newest turns, oldest first. */
  recentTurns(): readonly TurnRecord[] {
    return this.#rows<TurnRecord>(
      'SELECT json FROM turns ORDER BY n DESC LIMIT ?',
      CONTEXT_TURNS,
    ).reverse();
  }

  /** Store an ended turn and take it off the pending list in one transaction. */
  putTurn(turn: TurnRecord): void {
    this.#storage.transactionSync(() => {
      const json = JSON.stringify(turn);
      this.#storage.sql.exec('INSERT OR REPLACE INTO turns (n, json) VALUES (?, ?)', turn.n, json);
      this.dropPending(turn.n);
      if (turn.n > this.lastNumber()) this.#put('last_n', turn.n);
    });
  }

  /** Remove everything; the object is as new, apart from its epoch. */
  clear(): void {
    const epoch = this.#get<number>('epoch') ?? 0;
    this.#storage.transactionSync(() => {
      for (const table of ['meta', 'turns', 'pending']) {
        this.#storage.sql.exec(`DELETE FROM ${table}`);
      }
      this.#put('epoch', epoch);
    });
  }

  #createTables(): void {
    const { sql } = this.#storage;
    sql.exec('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, json TEXT NOT NULL)');
    sql.exec('CREATE TABLE IF NOT EXISTS turns (n INTEGER PRIMARY KEY, json TEXT NOT NULL)');
    sql.exec('CREATE TABLE IF NOT EXISTS pending (n INTEGER PRIMARY KEY, json TEXT NOT NULL)');
  }

  #get<T>(name: string): T | null {
    return this.#rows<T>('SELECT json FROM meta WHERE name = ?', name)[0] ?? null;
  }

  #put(name: string, value: unknown): void {
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO meta (name, json) VALUES (?, ?)',
      name,
      JSON.stringify(value),
    );
  }

  #rows<T>(query: string, ...bindings: (string | number)[]): T[] {
    const cursor = this.#storage.sql.exec<{ json: string }>(query, ...bindings);
    return cursor.toArray().map(({ json }): T => JSON.parse(json));
  }
}
