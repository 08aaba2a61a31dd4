/** log P(reply | empty context) of replies seen before, so that a prior is paid for once. */
import { createHash } from 'node:crypto';
import type { Engine } from '../engine/types.ts';
import { PRIORS_KEPT } from './constants.ts';

/**
 * Least recently used priors go first. Keys are hashes: they have one size, and no text that somebody
 * sent stays in memory.
 */
export class PriorCache {
  readonly #limit: number;
  readonly #priors = new Map<string, number>();

  /** @param limit entries kept, at least 1 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Entries. */
  get size(): number {
    return this.#priors.size;
  }

  /** The prior in nats, or undefined when it is not (or no longer) known. */
  get(persona: string, text: string): number | undefined {
    const key = keyOf(persona, text);
    const prior = this.#priors.get(key);
    if (prior === undefined) return undefined;
    this.#priors.delete(key);
    this.#priors.set(key, prior);
    return prior;
  }

  /** Remember a prior. */
  set(persona: string, text: string, prior: number): void {
    const key = keyOf(persona, text);
    this.#priors.delete(key);
    this.#priors.set(key, prior);
    for (const oldest of this.#priors.keys()) {
      if (this.#priors.size <= this.#limit) break;
      this.#priors.delete(oldest);
    }
  }
}

/** The length keeps ("ab", "c") and ("a", "bc") apart. */
function keyOf(persona: string, text: string): string {
  return createHash('sha256').update(`${persona.length}:${persona}${text}`).digest('base64');
}

const caches = new WeakMap<Engine, PriorCache>();

/**
 * The priors of an engine: they belong to its weights and end with it. A remote engine whose weights
 * are replaced while this server runs keeps the old priors: restart this server with it.
 */
export function priorsOf(engine: Engine): PriorCache {
  const known = caches.get(engine);
  if (known !== undefined) return known;
  const cache = new PriorCache(PRIORS_KEPT);
  caches.set(engine, cache);
  return cache;
}
