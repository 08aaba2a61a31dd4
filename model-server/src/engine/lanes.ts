/** The sequences of a context and which of them are in use. */
import type { LlamaContext, Token } from 'node-llama-cpp';
import { Lane } from './lane.ts';
import { NativeMemory } from './native-memory.ts';

/** Lends sequences; callers hold a queue permit, so one is always free. */
export class Lanes {
  readonly #free: Set<Lane>;
  readonly #total: number;
  readonly #memory = new NativeMemory();
  #uses = 0;

  constructor(context: LlamaContext) {
    this.#free = new Set(
      Array.from({ length: context.totalSequences }, () => new Lane(context.getSequence())),
    );
    this.#total = context.totalSequences;
  }

  /**
   * The free sequence that already holds most of the prompt, or else the one idle for longest.
   * @param fresh nothing is to be reused
   * @throws Error when none is free: a caller without a permit
   */
  take(prompt: readonly Token[], fresh: boolean): Lane {
    const ranked = [...this.#free]
      .map((lane) => ({ lane, shared: fresh ? 0 : lane.commonPrefix(prompt) }))
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
  async giveBack(lane: Lane, clean: boolean): Promise<void> {
    try {
      if (!clean) await lane.reset();
    } finally {
      this.#free.add(lane);
      this.#memory.used(this.#free.size === this.#total);
    }
  }
}
