/** Which essays of `empathic_reactions` are held out from all training. Pure. */
import { createHash } from 'node:crypto';

/** Folds of `empathic_reactions`; fold 0 is held out. */
export const FOLDS = 5;

/**
 * Fold of a person's essays, 0–4: the first byte of sha256(response id) modulo 5. Each person wrote
 * five essays; the response id is the person's, so that nobody is on both sides.
 *
 * @param responseId column `response_id`: a message id without its last part
 */
export function foldOf(responseId: string): number {
  return (createHash('sha256').update(responseId).digest()[0] ?? 0) % FOLDS;
}

/** Whether an essay is one of those that no training may see. */
export function isHeldOut(responseId: string): boolean {
  return foldOf(responseId) === 0;
}
