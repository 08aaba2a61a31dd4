/**
 * The safety state of a session as a pure machine: open → acute → monitored → resumed. A level
 * falls only on the step from acute to monitored, never because a message looked harmless.
 */
import type { GateResult, RiskFlag, RiskLevel, SafetyMemory } from './types.ts';

/**
 * Messages in a row without a sign of risk before the protocol lets the talk go on, by level. One
 * calm message after a disclosure is often "sorry, forget it"; an imminent risk needs more.
 */
const CALM_TO_LEAVE: Readonly<Record<RiskLevel, number>> = { 0: 1, 1: 1, 2: 2, 3: 3 };
/** Calm messages in `monitored` before the lines are no longer pinned to every answer. */
const CALM_TO_RESUME = 6;
/** Calm messages in `monitored` after which a check-in is due. */
const CALM_TO_CHECK_IN = 3;
/** What is left of a level when the acute part is over: never nothing in the same session. */
const LEVEL_AFTER_ACUTE: RiskLevel = 1;

/** A session about which nothing is known. */
export function initialMemory(): SafetyMemory {
  return { state: 'open', level: 0, since: null, shown: [], turns: 0, flags: [], calm: 0 };
}

function higher(a: RiskLevel, b: RiskLevel): RiskLevel {
  return a >= b ? a : b;
}

/** The higher level and all flags of both: what is stored and what was just seen. */
export function mergeRisk(
  stored: { readonly level: RiskLevel; readonly flags: readonly RiskFlag[] },
  seen: { readonly level: RiskLevel; readonly flags: readonly RiskFlag[] },
): { readonly level: RiskLevel; readonly flags: readonly RiskFlag[] } {
  return {
    level: higher(stored.level, seen.level),
    flags: [...new Set([...stored.flags, ...seen.flags])],
  };
}

/** Level for `GateInput.prior`: after an acute phase every weak sign counts for the whole session. */
export function priorRisk(memory: SafetyMemory): RiskLevel {
  return memory.state === 'open' ? memory.level : higher(memory.level, 2);
}

/** True when the protocol, not the model, must write the answer to this turn. */
export function needsProtocol(memory: SafetyMemory): boolean {
  return memory.state === 'acute';
}

/** True on the turn of a monitored session on which to ask how the person is now. */
export function checkInDue(memory: SafetyMemory): boolean {
  return memory.state === 'monitored' && (memory.calm ?? 0) === CALM_TO_CHECK_IN;
}

function risen(memory: SafetyMemory, gate: GateResult, now: string): SafetyMemory {
  const risk = mergeRisk({ level: memory.level, flags: memory.flags ?? [] }, gate);
  const fresh = memory.state !== 'acute' || risk.level > memory.level;
  return {
    ...memory,
    ...risk,
    state: 'acute',
    since: fresh ? now : memory.since,
    turns: memory.turns + 1,
    calm: 0,
  };
}

function settled(memory: SafetyMemory, gate: GateResult, now: string): SafetyMemory {
  const calm = (memory.calm ?? 0) + 1;
  if (memory.state === 'acute') {
    if (calm >= CALM_TO_LEAVE[memory.level]) {
      // The list of services may be shown in full again if the risk comes back.
      const shown = memory.shown.filter((id) => !id.startsWith('lines.'));
      return {
        ...memory,
        state: 'monitored',
        level: LEVEL_AFTER_ACUTE,
        since: now,
        calm: 0,
        shown,
      };
    }
    return { ...memory, calm, turns: memory.turns + 1 };
  }
  if (memory.state === 'monitored' && calm >= CALM_TO_RESUME) {
    return { ...memory, state: 'resumed', calm: 0 };
  }
  const risk = mergeRisk({ level: memory.level, flags: memory.flags ?? [] }, gate);
  const since = risk.level > memory.level ? now : memory.since;
  return { ...memory, ...risk, since, calm: memory.state === 'monitored' ? calm : 0 };
}

/**
 * Memory after one message of the person. Call it once a message, before answering.
 *
 * @param now ISO 8601 time of the message
 */
export function advance(memory: SafetyMemory, gate: GateResult, now: string): SafetyMemory {
  return gate.route === 'crisis' ? risen(memory, gate, now) : settled(memory, gate, now);
}
