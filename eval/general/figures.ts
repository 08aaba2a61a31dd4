/** From judged answers to pass rates. Pure. */
import { type Item, KINDS, type Kind, PERSONA_KINDS } from './items.ts';
import { type Fault, faultOf } from './judge.ts';

export interface PassRate {
  readonly n: number;
  readonly passed: number;
  /** passed / n; null without items. */
  readonly rate: number | null;
}

export interface GeneralFigures extends PassRate {
  /** All kinds that ask who it is. */
  readonly persona: PassRate;
  /** All others. */
  readonly ability: PassRate;
  /** Kinds without items are left out. */
  readonly by_kind: Readonly<Partial<Record<Kind, PassRate>>>;
  /** Answers with each fault. */
  readonly faults: Readonly<Record<Fault, number>>;
  /** Every answer that does not pass. The questions and answers are no person's. */
  readonly failures: readonly {
    readonly id: string;
    readonly fault: Fault;
    readonly answer: string;
  }[];
}

/** @param answers one per item, same order */
export function generalFigures(items: readonly Item[], answers: readonly string[]): GeneralFigures {
  const judged = items.map((item, index) => {
    const answer = answers[index] ?? '';
    return { item, answer, fault: faultOf(item, answer) };
  });
  const rate = (isMine: (item: Item) => boolean): PassRate => {
    const mine = judged.filter(({ item }) => isMine(item));
    const passed = mine.filter(({ fault }) => fault === null).length;
    return { n: mine.length, passed, rate: mine.length === 0 ? null : passed / mine.length };
  };
  const isPersona = ({ kind }: Item) => PERSONA_KINDS.includes(kind);
  const by_kind: Partial<Record<Kind, PassRate>> = {};
  for (const kind of KINDS) {
    const mine = rate((item) => item.kind === kind);
    if (mine.n > 0) by_kind[kind] = mine;
  }
  const failures = judged.flatMap(({ item, answer, fault }) =>
    fault === null ? [] : [{ id: item.id, fault, answer }],
  );
  const count = (fault: Fault) => failures.filter((failure) => failure.fault === fault).length;
  return {
    ...rate(() => true),
    persona: rate(isPersona),
    ability: rate((item) => !isPersona(item)),
    by_kind,
    faults: {
      empty: count('empty'),
      control_string: count('control_string'),
      loop: count('loop'),
      forbidden: count('forbidden'),
      missing: count('missing'),
    },
    failures,
  };
}

/** The table for people: one row per kind, then persona, ability and all. Rates in percent. */
export function tableOf({ by_kind, persona, ability, ...all }: GeneralFigures) {
  const row = ({ n, passed, rate }: PassRate) => ({
    items: n,
    passed,
    'rate %': rate === null ? null : Math.round(1000 * rate) / 10,
  });
  const kinds = Object.entries(by_kind).map(([kind, one]): [string, object] => [kind, row(one)]);
  return Object.fromEntries([
    ...kinds,
    ['persona', row(persona)],
    ['ability', row(ability)],
    ['all', row(all)],
  ]);
}
