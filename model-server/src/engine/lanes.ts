/** The sequences of a context and which of them are in use. */
import type { Token } from 'node-llama-cpp';
import { Lane, type Shared } from './lane.ts';

/** Lends sequences; callers hold a queue permit, so one is always free. */
export class Lanes {
  readonly #all: readonly Lane[];
  readonly #free: Set<Lane>;
  #uses = 0;

  constructor(shared: Shared, sequences: number) {
    this.#all = Array.from({ length: sequences }, (_, sequence) => new Lane(shared, sequence));
    this.#free = new Set(this.#all);
  }

  /**
   * The free sequence that holds the earlier turns of this conversation, or else the one idle for
   * longest. A shared persona or opening is not enough: taking another conversation's sequence for
   * it would cost that one all its turns.
   * @param fresh nothing is to be reused
   * @throws Error when none is free: a caller without a permit
   */
  take(prompt: readonly Token[], fresh: boolean): Lane {
    const ranked = [...this.#free]
      .map((lane) => ({ lane, shared: fresh ? 0 : ownPrefix(lane, prompt) }))
      .sort((a, b) => b.shared - a.shared || a.lane.lastUse - b.lane.lastUse);
    const lane = ranked[0]?.lane;
    if (lane === undefined) throw new Error('no free sequence');
    this.#free.delete(lane);
    lane.lastUse = ++this.#uses;
    return lane;
  }

  /**
   * Give a sequence back.
   * @param clean false after a failure: nobody knows its state, so it is forgotten. An abort is no
   *   failure; it happens between evaluations.
   */
  giveBack(lane: Lane, clean: boolean): void {
    if (!clean) lane.truncate(0);
    this.#free.add(lane);
  }

  dispose(): void {
    for (const lane of this.#all) lane.dispose();
  }
}

/** Tokens shared with the conversation that a sequence holds; 0 when it is another one. */
function ownPrefix(lane: Lane, prompt: readonly Token[]): number {
  const shared = lane.commonPrefix(prompt);
  return lane.anchor > 0 && shared >= lane.anchor ? shared : 0;
}
