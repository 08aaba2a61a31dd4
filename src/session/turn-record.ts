/** Making the record of an ended turn. Pure. */
import type { Affect } from '../affect/types.ts';
import type { SafetyMemory } from '../safety/types.ts';
import type { TurnOutcome } from '../turn/session.ts';
import { turnId } from './ids.ts';
import type { PendingTurn, TurnRecord } from './record.ts';

/** Emotions kept of a turn: enough to name the feeling when the page is loaded again. */
const KEPT_EMOTIONS = 3;

/** The record of a turn that was answered, fully or in part. */
export function answered(
  pending: PendingTurn,
  affect: Affect | null,
  outcome: TurnOutcome,
): TurnRecord {
  const { level, flags, route } = outcome.safety;
  return {
    turn_id: turnId(pending.n),
    n: pending.n,
    at: pending.at,
    user: { text: pending.text },
    assistant: { text: outcome.text, finish_reason: outcome.finish },
    emotions: keptEmotions(affect),
    intent: outcome.intent,
    safety: { level, flags, route },
  };
}

/** None where the classifier does not stand behind them. */
function keptEmotions(affect: Affect | null): TurnRecord['emotions'] {
  return affect === null || affect.abstained ? null : affect.emotions.slice(0, KEPT_EMOTIONS);
}

/** The record of a message that will not be answered: its text is kept. */
export function unanswered(pending: PendingTurn, memory: SafetyMemory): TurnRecord {
  return {
    turn_id: turnId(pending.n),
    n: pending.n,
    at: pending.at,
    user: { text: pending.text },
    assistant: { text: '', finish_reason: 'interrupted' },
    emotions: null,
    intent: null,
    safety: { level: memory.level, flags: [], route: 'converse' },
  };
}
