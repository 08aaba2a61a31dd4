/**
 * The durable record in KV. KV has no compare-and-set, takes one write a second to a key and may
 * be 60 s stale elsewhere, so every key is written once, by the coordinator only, and read back by
 * exact keys only (K01, K02).
 */
import { CRISIS_RETENTION_DAYS, MIN_KV_TTL_SECONDS } from '../limits.ts';
import type { SafetyMemory } from '../safety/types.ts';
import { keys, type SessionHeader, type TurnRecord } from './record.ts';

const DAY_SECONDS = 86_400;

/** Seconds until a record of this session may vanish; KV's floor is 60 s (K08). */
export function ttlSeconds(retentionDays: number): number {
  return Math.max(MIN_KV_TTL_SECONDS, Math.round(retentionDays * DAY_SECONDS));
}

export class Archive {
  readonly #kv: KVNamespace;

  constructor(kv: KVNamespace) {
    this.#kv = kv;
  }

  async putHeader(header: SessionHeader): Promise<void> {
    await this.#put(keys.header(header.session_id), header, header.retention_days);
  }

  async putTurn(header: SessionHeader, turn: TurnRecord): Promise<void> {
    const days =
      turn.safety.route === 'crisis'
        ? Math.min(CRISIS_RETENTION_DAYS, header.retention_days)
        : header.retention_days;
    await this.#put(keys.turn(header.session_id, turn.n), turn, days);
  }

  async putSafety(header: SessionHeader, memory: SafetyMemory): Promise<void> {
    await this.#put(keys.safety(header.session_id), memory, header.retention_days);
  }

  getHeader(id: string): Promise<SessionHeader | null> {
    return this.#kv.get<SessionHeader>(keys.header(id), 'json');
  }

  getSafety(id: string): Promise<SafetyMemory | null> {
    return this.#kv.get<SafetyMemory>(keys.safety(id), 'json');
  }

  getTurn(id: string, n: number): Promise<TurnRecord | null> {
    return this.#kv.get<TurnRecord>(keys.turn(id, n), 'json');
  }

  /** Remove everything of a session; `lastN` is the highest turn number. */
  async erase(id: string, lastN: number): Promise<void> {
    const names = [keys.header(id), keys.safety(id)];
    for (let n = 1; n <= lastN; n++) names.push(keys.turn(id, n));
    for (const name of names) await this.#kv.delete(name);
  }

  async #put(key: string, value: unknown, days: number): Promise<void> {
    await this.#kv.put(key, JSON.stringify(value), { expirationTtl: ttlSeconds(days) });
  }
}
