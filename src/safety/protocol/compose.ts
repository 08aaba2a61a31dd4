/** Which sentences make up an English protocol reply. Pure; every choice is by what was shown. */
import type { Pools, Sentence } from '../text/text.ts';
import type { GateResult, RiskFlag, RiskLevel, SafetyMemory } from '../types.ts';

/** What the reply is mainly about. */
export type Topic =
  | 'medical'
  | 'medical_third'
  | 'third'
  | 'others'
  | 'abuse'
  | 'self_harm'
  | 'own';

export interface Situation {
  readonly topic: Topic;
  readonly level: RiskLevel;
  /** First protocol turn of this talk, or the level is higher than any shown before. */
  readonly opening: boolean;
  /** The message itself carried no sign of risk. */
  readonly calm: boolean;
  /** It answers a question of the protocol with no. */
  readonly saidNo: boolean;
  readonly retracted: boolean;
  readonly promised: boolean;
  readonly feeling: string | null;
}

/** A sentence to say, or the list of services. */
export type Part = Sentence | 'lines';

/** The name of a pool, or that of several: the first with something unsaid is used. */
type Slot = readonly string[] | 'lines';

/** A turn on which the AI notice is said again (case C15), counted in protocol turns. */
const AI_EVERY = 6;

/** Topic by flags; danger to life first, then the person, then others. */
export function topicOf(flags: readonly RiskFlag[]): Topic {
  const has = (flag: RiskFlag): boolean => flags.includes(flag);
  if (has('medical_emergency')) return has('third_party') ? 'medical_third' : 'medical';
  if (has('third_party')) return 'third';
  if (has('harm_to_others')) return 'others';
  if (has('abuse')) return 'abuse';
  return has('self_harm') ? 'self_harm' : 'own';
}

const STEPS = [
  'ask_plan',
  'company',
  'distance',
  'step_people',
  'step_coping',
  'ask_now',
  'grounding',
  'step_signs',
  'step_professional',
  'step_reasons',
  'step_places',
] as const;

function ownSlots(s: Situation): readonly Slot[] {
  if (s.level === 3) {
    return s.opening
      ? [['ack', 'ack_later'], ['emergency'], ['company'], ['distance'], 'lines', ['ask_now']]
      : [['ack_later'], ['emergency'], ['distance', 'company'], [...STEPS], ['stay']];
  }
  if (s.opening) return [['ack', 'ack_later'], ['ask_suicide'], 'lines', ['stay']];
  return [['ack_later'], [...STEPS], ['lines_again'], ['stay']];
}

function slotsFor(s: Situation): readonly Slot[] {
  const lines: Slot = s.opening ? 'lines' : ['lines_again'];
  const opening: readonly Slot[] = s.opening ? ['lines'] : [];
  switch (s.topic) {
    case 'medical':
      return [
        ['medical', 'emergency'],
        ['medical_care', 'company'],
        ...opening,
        ['medical_ask', 'ask_now'],
        ['stay'],
      ];
    case 'medical_third':
      return [
        ['medical_third', 'third_urgent'],
        ...opening,
        ['third_ask', 'third_you'],
        ['third_you', 'stay'],
      ];
    case 'third':
      return s.level === 3
        ? [
            ['third_ack', 'ack_later'],
            ['third_urgent'],
            ['third_do'],
            ...opening,
            ['third_ask', 'third_you'],
          ]
        : [
            ['third_ack', 'ack_later'],
            ['third_ask', 'third_you'],
            ['third_do'],
            lines,
            ['third_you', 'stay'],
          ];
    case 'others':
      return [
        ['others', 'ack_later'],
        ['others_now'],
        ...opening,
        ['others_ask', 'step_coping'],
        ['stay'],
      ];
    case 'abuse':
      return [['abuse', 'ack_later'], ['abuse_now'], ...opening, ['abuse_ask'], ['stay']];
    case 'self_harm':
      return s.opening
        ? [['selfharm_ack'], ['selfharm_care'], ['ask_suicide'], 'lines', ['stay']]
        : [
            ['selfharm_ack', 'ack_later'],
            ['ask_suicide', 'ask_plan'],
            ['selfharm_care', ...STEPS],
            ['stay'],
          ];
    case 'own':
      return ownSlots(s);
  }
}

function calmSlots(s: Situation): readonly Slot[] {
  const heard = s.saidNo ? ['answer_no', 'ack_later'] : ['ack_later'];
  if (s.topic === 'medical' || s.topic === 'medical_third') return slotsFor(s);
  if (s.topic !== 'own' && s.topic !== 'self_harm') return [heard, ...slotsFor(s).slice(1)];
  return s.level === 3
    ? [heard, ['calm', 'ask_now'], ['emergency'], [...STEPS], ['stay']]
    : [heard, ['calm', 'step_coping'], ['lines_again'], ['stay']];
}

function allSlots(s: Situation): readonly Slot[] {
  if (s.calm) return calmSlots(s);
  const slots = slotsFor(s);
  if (s.promised) return [['no_promise'], ['ask_suicide', 'ask_plan'], ...slots.slice(1)];
  if (s.retracted) {
    return [['retraction'], ['ask_suicide', 'ask_plan', 'ask_now'], ...slots.slice(1)];
  }
  return s.feeling !== null && s.topic === 'own' ? [['feeling', 'ack'], ...slots.slice(1)] : slots;
}

/** Pools that must not be left out: when all is said, the one said longest ago comes again. */
const NEEDED: ReadonlySet<string> = new Set([
  'emergency',
  'medical',
  'third_urgent',
  'others_now',
  'abuse_now',
  'stay',
]);

function pick(
  slot: readonly string[],
  pools: Pools,
  shown: readonly string[],
  fits: (sentence: Sentence) => boolean,
): Sentence | null {
  for (const name of slot) {
    const fresh = pools[name]?.find((entry) => !shown.includes(entry.id) && fits(entry));
    if (fresh) return fresh;
  }
  const again = slot.find((name) => NEEDED.has(name));
  const worn = (pools[again ?? ''] ?? []).filter(fits);
  worn.sort((a, b) => shown.lastIndexOf(a.id) - shown.lastIndexOf(b.id));
  return worn[0] ?? null;
}

function poolOf(sentence: Sentence): string {
  return sentence.id.split('.')[1] ?? '';
}

/** The parts of the reply in order; the same sentence never twice in one reply. */
export function compose(
  situation: Situation,
  pools: Pools,
  memory: { readonly shown: readonly string[]; readonly turns: number },
  skip: ReadonlySet<string> = new Set(),
): readonly Part[] {
  const parts: Part[] = [];
  const shown = [...memory.shown];
  const slots = [...allSlots(situation)];
  const notice = situation.opening || memory.turns % AI_EVERY === 0;
  const said = shown.some((id) => id.startsWith('en.ai.'));
  if (notice || !said) slots.splice(Math.max(slots.length - 1, 1), 0, ['ai']);
  for (const slot of slots) {
    if (slot === 'lines') {
      parts.push('lines');
      continue;
    }
    // One question a reply: two at once feel like an interrogation, and the first gets lost.
    const asked = parts.some((part) => part !== 'lines' && part.text.includes('?'));
    const fits = (entry: Sentence): boolean =>
      !skip.has(poolOf(entry)) && !(asked && entry.text.includes('?'));
    const sentence = pick(slot, pools, shown, fits);
    if (!sentence || parts.includes(sentence)) continue;
    parts.push(sentence);
    shown.push(sentence.id);
  }
  return parts;
}

/** Situation of this turn from what the gate saw and what the session remembers. */
export function situationOf(
  gate: GateResult,
  memory: SafetyMemory,
  said: Pick<Situation, 'feeling' | 'saidNo'>,
): Situation {
  const calm = gate.route !== 'crisis';
  const { level } = memory;
  const flags = calm || gate.flags.length === 0 ? (memory.flags ?? []) : gate.flags;
  const has = (id: string): boolean => gate.reasons.includes(id);
  return {
    topic: topicOf(flags),
    level,
    opening: !calm && !memory.shown.includes(`lines.${level}`),
    calm,
    retracted: has('all.risk-retracted'),
    promised: has('all.promise-with-means') || has('all.promise-after-risk'),
    ...said,
  };
}
