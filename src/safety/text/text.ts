/** The shape of protocol texts. Texts are data: protocol.ts only chooses and orders them. */
import type { SafetyLanguage } from '../types.ts';

/** Where the wording or the advice of a sentence comes from. Public guidance, named generally. */
export const SOURCES = {
  ask: '#BeThe1To "Ask" and 988 Lifeline guidance: ask directly, without judgement',
  listen: 'Samaritans SHUSH listening tips; #BeThe1To "Be There"',
  safe: '#BeThe1To "Keep Them Safe"; WHO preventing suicide: distance from means',
  connect: '#BeThe1To "Help Them Connect"; 988 Lifeline',
  plan: 'Stanley-Brown Safety Planning Intervention: the public steps',
  ground: 'NHS and WHO "Doing What Matters in Times of Stress": grounding',
  emergency: 'NHS, 988 and Samaritans: in immediate danger call the emergency number',
  overdose: 'NHS first aid after poisoning or overdose',
  selfharm: 'NICE NG225 and Samaritans on self-harm',
  worried: 'Samaritans and 988 on helping someone else; WHO 2019 guidance',
  harm: 'NAMI and NHS on urgent mental-health crises',
  abuse: 'National domestic-violence helplines: general safety advice',
  ai: 'California SB 243 § 22602 and the service’s own policy: says that it is an AI',
  stay: 'VERA-MH rubric: does not abandon, gives no promise; Samaritans listening tips',
} as const;
export type SourceKey = keyof typeof SOURCES;

export interface Sentence {
  /** `<language>.<pool>.<n>`; kept in a session's memory so that nothing is said twice. */
  readonly id: string;
  /** May hold `{feeling}` (a listed word), `{emergency}` (number or words), `{line}` (a service). */
  readonly text: string;
  readonly source: SourceKey;
}

/** Sentences by role, each list in the order in which it is used up. */
export type Pools = Readonly<Record<string, readonly Sentence[]>>;

/** Lists as written: one source, several wordings. */
export type PoolSpec = Readonly<
  Record<string, readonly (readonly [SourceKey, readonly string[]])[]>
>;

/** Numbers the sentences of every list. */
export function toPools(language: SafetyLanguage, spec: PoolSpec): Pools {
  const pools: Record<string, readonly Sentence[]> = {};
  for (const [name, groups] of Object.entries(spec)) {
    const flat = groups.flatMap(([source, texts]) => texts.map((text) => ({ source, text })));
    pools[name] = flat.map((entry, at) => ({ id: `${language}.${name}.${at + 1}`, ...entry }));
  }
  return pools;
}

/** Words around numbers and lists. */
export interface Labels {
  readonly emergency: string;
  /** Said in place of a number where none is known. */
  readonly localEmergency: string;
  readonly call: string;
  readonly sms: string;
  /** `{keyword}` and `{number}`. */
  readonly smsKeyword: string;
  readonly checked: string;
  /** Beside a line whose sources disagree. */
  readonly disputed: string;
  /** Whether remarks of the data, which are in English, may be shown. */
  readonly readsEnglish: boolean;
}

/**
 * A language whose text nobody has reviewed gets no more than this: one plain sentence, the
 * emergency number and verified lines.
 */
export interface FixedText {
  readonly language: SafetyLanguage;
  /** Name or role of the clinician and native speaker who approved it; null: nobody yet. */
  readonly reviewed_by: string | null;
  /** Each says that this is an AI and that help is there; used in turn. */
  readonly plain: readonly string[];
  /** For level 3 and medical emergencies; each holds `{emergency}`. */
  readonly urgent: readonly string[];
  /** For worry about another person. */
  readonly third: readonly string[];
  readonly disclosure: string;
  readonly labels: Labels;
}
