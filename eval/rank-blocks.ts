/** Blocks of contexts that are each other's distractors. Pure and seeded. */
import { mulberry32, shuffled } from './bootstrap.ts';
import type { ListenerTurn } from './turns.ts';

/** Contexts and replies of a block: P@1,100 of the papers. */
export const BLOCK_SIZE = 100;

/** Seeds of the assignment to blocks and of the one distractor of the pairwise measure. */
const BLOCK_SEED = 0;
const DISTRACTOR_SEED = 1;

/** One context with the replies of its whole block. */
export interface Question {
  readonly conv_id: string;
  readonly messages: ListenerTurn['messages'];
  /** Reply of every turn of the block, in the order of the block. */
  readonly candidates: readonly string[];
  /** Index of the true reply. */
  readonly truth: number;
  /** Index of one other reply, drawn at random. */
  readonly distractor: number;
}

/**
 * @param options.blocks first blocks only
 * @param options.contexts contexts asked of each block, the first ones; candidates stay all of them
 * @param options.shuffle turns are drawn into blocks with seed 0; else they come in file order, so that
 *   a block holds the other replies of the same conversation
 * @returns questions of whole blocks; of one smaller block where there are fewer than 100 turns, and
 *   none where there are fewer than two
 */
export function questionsOf(
  turns: readonly ListenerTurn[],
  options: {
    readonly blocks: number;
    readonly contexts?: number;
    readonly shuffle: boolean;
  },
): Question[] {
  const order = options.shuffle ? shuffled(turns, mulberry32(BLOCK_SEED)) : turns;
  const size = Math.min(BLOCK_SIZE, order.length);
  if (size < 2) return [];
  const random = mulberry32(DISTRACTOR_SEED);
  const questions: Question[] = [];
  for (let block = 0; block < options.blocks && (block + 1) * size <= order.length; block++) {
    const members = order.slice(block * size, (block + 1) * size);
    const candidates = members.map(({ reply }) => reply);
    for (const [truth, { conv_id, messages }] of members.entries()) {
      const distractor = (truth + 1 + Math.floor(random() * (size - 1))) % size;
      if (truth >= (options.contexts ?? size)) continue;
      questions.push({ conv_id, messages, candidates, truth, distractor });
    }
  }
  return questions;
}
