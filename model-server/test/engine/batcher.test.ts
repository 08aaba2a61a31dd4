/** The loop over batches, on a context that records what it is told. */
import { describe, expect, it } from 'vitest';
import { Batcher, type Job } from '../../src/engine/batcher.ts';
import type { NativeContext } from '../../src/engine/native.ts';

interface Part {
  readonly sequence: number;
  readonly position: number;
  readonly tokens: readonly number[];
}

class Recorder implements NativeContext {
  readonly batches: Part[][] = [];
  readonly removed: string[] = [];
  broken = false;
  #parts: Part[] = [];
  #room = 0;
  #decoding = false;

  initBatch(tokens: number): void {
    this.#parts = [];
    this.#room = tokens;
  }

  addToBatch(sequence: number, position: number, tokens: Uint32Array, at: Uint32Array) {
    const start = this.#parts.reduce((sum, part) => sum + part.tokens.length, 0);
    this.#parts.push({ sequence, position, tokens: [...tokens] });
    if (start + tokens.length > this.#room) throw new Error('the batch is full');
    return at.map((index) => start + index);
  }

  async decodeBatch(): Promise<void> {
    this.batches.push(this.#parts);
    this.#decoding = true;
    await Promise.resolve();
    this.#decoding = false;
    if (this.broken) throw new Error('no cell');
  }

  sampleToken(): never {
    throw new Error('not in this test');
  }

  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean {
    if (this.#decoding) throw new Error('a cell went while it was in use');
    this.removed.push(`${sequence}:${start}..${end}`);
    return true;
  }
}

const job = (sequence: number, more: Partial<Job> = {}): Job => ({
  sequence,
  position: 0,
  tokens: [7],
  reply: true,
  alone: false,
  reads: new Map(),
  ...more,
});

describe('the batcher', () => {
  it('puts everyone who asks in the same moment into one batch', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 16, context: 64 });
    await Promise.all([2, 0, 1].map((sequence) => batcher.run(job(sequence))));
    expect(native.batches.map((parts) => parts.map(({ sequence }) => sequence))).toEqual([
      [0, 1, 2],
    ]);
  });

  it('reads the right rows, one at a time, also when a job takes several batches', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 4, context: 64 });
    const rows: string[] = [];
    let reading = 0;
    const read = (name: string) => async (row: number) => {
      expect(++reading).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      reading--;
      rows.push(`${name}@${row}`);
    };
    await Promise.all([
      batcher.run(
        job(0, {
          tokens: [1, 2, 3, 4, 5, 6],
          reply: false,
          reads: new Map([
            [1, read('second')],
            [5, read('sixth')],
          ]),
        }),
      ),
      batcher.run(job(1, { reads: new Map([[0, read('reply')]]) })),
    ]);
    expect(native.batches).toEqual([
      [
        { sequence: 0, position: 0, tokens: [1, 2, 3] },
        { sequence: 1, position: 0, tokens: [7] },
      ],
      [{ sequence: 0, position: 3, tokens: [4, 5, 6] }],
    ]);
    expect(rows).toEqual(['second@1', 'reply@3', 'sixth@2']);
  });

  it('frees the cells behind the place where a job begins, between batches', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 16, context: 64 });
    await batcher.run(job(3, { tokens: [1, 2, 3, 4], reply: false }));
    await batcher.run(job(3, { position: 4 }));
    expect(native.removed).toEqual([]);
    await Promise.all([batcher.run(job(3, { position: 2 })), batcher.run(job(4))]);
    expect(native.removed).toEqual(['3:2..-1']);
  });

  it('bridges a small gap with a token that is forgotten at once, where there is room', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 16, context: 4 });
    await batcher.run(job(1, { tokens: [1, 2, 3], reply: false }));
    await Promise.all([batcher.run(job(0)), batcher.run(job(2))]);
    expect(native.batches.at(-1)?.map((part) => [part.sequence, part.position])).toEqual([
      [0, 0],
      [1, 3],
      [2, 0],
    ]);
    expect(native.removed).toEqual(['1:3..-1']);
    await batcher.run(job(1, { position: 3 }));
    await Promise.all([batcher.run(job(0, { position: 1 })), batcher.run(job(2, { position: 1 }))]);
    expect(native.batches.at(-1)?.map(({ sequence }) => sequence)).toEqual([0, 2]);
  });

  it('a batch that fails fails its jobs only, and the sequence begins anew', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 16, context: 64 });
    native.broken = true;
    await expect(batcher.run(job(0))).rejects.toThrow('no cell');
    native.broken = false;
    await batcher.run(job(0));
    expect(native.removed).toEqual(['0:0..-1']);
  });

  it('a reader that fails fails its own job only', async () => {
    const native = new Recorder();
    const batcher = new Batcher(native, { batch: 16, context: 64 });
    const reads = new Map([[0, () => Promise.reject(new Error('no row'))]]);
    const [broken, well] = await Promise.allSettled([
      batcher.run(job(0, { reads })),
      batcher.run(job(1)),
    ]);
    expect([broken.status, well.status]).toEqual(['rejected', 'fulfilled']);
  });
});
