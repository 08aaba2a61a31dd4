/** Continuous batching: sequences ask for evaluations, one loop serves them batch by batch. */
import { gapsOf, nextBatch } from './batching.ts';
import type { NativeContext } from './native.ts';

/** Tokens to evaluate on one sequence. */
export interface Job {
  readonly sequence: number;
  /** Place of the first token; what the sequence holds from there on is forgotten. */
  readonly position: number;
  /** At least one. */
  readonly tokens: readonly number[];
  /** The next token of a reply (see batching.ts). */
  readonly reply: boolean;
  readonly alone: boolean;
  /** Index into `tokens` → what to do with the row of the distribution behind that token. */
  readonly reads: ReadonlyMap<number, (row: number) => Promise<void>>;
}

/** A job and how far it is. */
interface Pending {
  readonly job: Job;
  done: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The tokens of a job that are in a batch. */
interface Part {
  readonly sequence: number;
  readonly pending: Pending;
  readonly tokens: number;
}

/** A job's part of a decoded batch: rows with their readers. */
interface Output {
  readonly pending: Pending;
  readonly reads: readonly (() => Promise<void>)[];
}

/** Evaluated on an idle sequence and forgotten at once: any token will do. */
const IDLE_TOKEN = 0;
/** Nobody knows what a sequence holds after a failure. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/** In tokens. */
export interface BatchLimits {
  readonly batch: number;
  /** Of each sequence. */
  readonly context: number;
}

/** Evaluates jobs in shared batches. One job a sequence at a time. */
export class Batcher {
  readonly #native: NativeContext;
  readonly #limits: BatchLimits;
  readonly #pending: Pending[] = [];
  /** Cells that llama.cpp holds, per sequence. */
  readonly #cells = new Map<number, number>();
  #running = false;

  constructor(native: NativeContext, limits: BatchLimits) {
    this.#native = native;
    this.#limits = limits;
  }

  /**
   * Evaluate a job and read its rows.
   * @throws what llama.cpp or a reader threw; the sequence must then begin anew at position 0
   */
  run(job: Job): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ job, done: 0, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    while (this.#pending.length > 0) {
      // Whoever got a token in the last batch asks for the next one before this one is made up.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#batch();
    }
    this.#running = false;
  }

  async #batch(): Promise<void> {
    const waiting = this.#pending.map((pending) => ({
      pending,
      sequence: pending.job.sequence,
      tokens: pending.job.tokens.length - pending.done,
      reply: pending.job.reply,
      alone: pending.job.alone,
    }));
    const parts = nextBatch(waiting, this.#limits.batch).map(({ item, tokens }) => ({
      sequence: item.sequence,
      pending: item.pending,
      tokens,
    }));
    try {
      const outputs = await this.#decode(parts);
      // One row after the other: llama.cpp puts them in order at the first read, without a lock.
      // A reply's single row goes before a scored reply's many.
      const fewestFirst = outputs.toSorted((a, b) => a.reads.length - b.reads.length);
      for (const output of fewestFirst) await this.#read(output);
    } catch (error) {
      for (const { pending } of parts) this.#fail(pending, error);
    }
  }

  /** Evaluate parts of jobs, by rising sequence. */
  async #decode(parts: readonly Part[]): Promise<readonly Output[]> {
    const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const idle = gapsOf(parts.map(({ sequence }) => sequence))
      .filter((sequence) => this.#held(sequence) < this.#limits.context)
      .slice(0, this.#limits.batch - total);
    const bridged = [...parts, ...idle.map((sequence) => ({ sequence, pending: null }))].sort(
      (a, b) => a.sequence - b.sequence,
    );
    const outputs: Output[] = [];
    try {
      this.#native.initBatch(total + idle.length);
      for (const part of bridged) {
        if (part.pending === null) this.#addIdle(part.sequence);
        else outputs.push(this.#add(part.pending, part.tokens));
      }
      await this.#native.decodeBatch();
    } finally {
      for (const sequence of idle) {
        this.#native.removeTokenCellsFromSequence(sequence, this.#held(sequence), -1);
      }
    }
    return outputs;
  }

  /** Read the rows of a job; it is over with its last token. A reader that fails ends only its job. */
  async #read({ pending, reads }: Output): Promise<void> {
    try {
      for (const read of reads) await read();
    } catch (error) {
      return this.#fail(pending, error);
    }
    if (pending.done < pending.job.tokens.length) return;
    this.#forget(pending);
    pending.resolve();
  }

  /** Put the next tokens of a job into the batch. */
  #add(pending: Pending, amount: number): Output {
    const { job, done } = pending;
    const { sequence, reads } = job;
    const position = job.position + done;
    if (this.#held(sequence) > position) {
      this.#native.removeTokenCellsFromSequence(sequence, position, -1);
    }
    const tokens = job.tokens.slice(done, done + amount);
    const wanted = [...tokens.keys()].flatMap((index) => {
      const read = reads.get(done + index);
      return read === undefined ? [] : [{ index, read }];
    });
    const rows = this.#native.addToBatch(
      sequence,
      position,
      Uint32Array.from(tokens),
      Uint32Array.from(wanted, ({ index }) => index),
    );
    pending.done += amount;
    this.#cells.set(sequence, position + amount);
    return {
      pending,
      reads: [...rows].map((row, index) => async () => wanted[index]?.read(row)),
    };
  }

  #addIdle(sequence: number): void {
    const token = Uint32Array.of(IDLE_TOKEN);
    this.#native.addToBatch(sequence, this.#held(sequence), token, new Uint32Array());
  }

  #held(sequence: number): number {
    return this.#cells.get(sequence) ?? 0;
  }

  #fail(pending: Pending, error: unknown): void {
    this.#cells.set(pending.job.sequence, UNKNOWN);
    this.#forget(pending);
    pending.reject(error);
  }

  #forget(pending: Pending): void {
    const index = this.#pending.indexOf(pending);
    if (index >= 0) this.#pending.splice(index, 1);
  }
}
