/** Safety memory for callers that keep none: worked out from the messages they send. */
import type { DialogueTurn } from '../affect/types.ts';
import { gateAll } from './gate.ts';
import { advance, initialMemory } from './state.ts';
import type { GateResult, SafetyMemory } from './types.ts';

/**
 * Runs the gate and the state machine over a whole talk, for the stateless OpenAI path.
 *
 * @param now ISO 8601 time, used for every step: the messages carry no times
 * @returns the verdict on the last message and the memory after it
 */
export function replay(input: {
  readonly history: readonly DialogueTurn[];
  readonly text: string;
  readonly now: string;
}): { readonly gate: GateResult; readonly memory: SafetyMemory } {
  const results = gateAll(input);
  let memory = initialMemory();
  for (const result of results) memory = advance(memory, result, input.now);
  const gate = results.at(-1) ?? { route: 'converse', level: 0, flags: [], reasons: [] };
  return { gate, memory };
}
