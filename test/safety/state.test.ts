import { describe, expect, it } from 'vitest';
import {
  advance,
  checkInDue,
  type GateResult,
  initialMemory,
  mergeRisk,
  needsProtocol,
  priorRisk,
  type RiskFlag,
  type RiskLevel,
  replay,
  type SafetyMemory,
} from '../../src/safety/index.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const LATER = '2026-01-02T03:09:05.000Z';
const ORDER = ['open', 'acute', 'monitored', 'resumed'] as const;
/** What the protocol document asks for, by level of the acute phase. */
const CALM_NEEDED: Readonly<Record<RiskLevel, number>> = { 0: 1, 1: 1, 2: 2, 3: 3 };
const FLAGS: readonly RiskFlag[] = ['self_harm', 'third_party', 'abuse', 'medical_emergency'];

function seen(level: RiskLevel, flags: readonly RiskFlag[] = []): GateResult {
  return { route: level >= 2 ? 'crisis' : 'converse', level, flags, reasons: [] };
}

function memoryAfter(
  levels: readonly RiskLevel[],
  from: SafetyMemory = initialMemory(),
): SafetyMemory {
  return levels.reduce((memory, level) => advance(memory, seen(level), NOW), from);
}

/** Mulberry32: small, seeded, good enough to vary a test and to repeat it. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Step {
  readonly before: SafetyMemory;
  readonly gate: GateResult;
  readonly after: SafetyMemory;
}

const LEVELS: readonly RiskLevel[] = [0, 1, 2, 3];

/** A talk of up to 40 messages; calm ones are common, so that every state is reached. */
function talk(seed: number): readonly Step[] {
  const random = generator(seed);
  const calmShare = random();
  const steps: Step[] = [];
  let memory = initialMemory();
  const length = 1 + Math.floor(random() * 40);
  for (let i = 0; i < length; i += 1) {
    const level = random() < calmShare ? 0 : (LEVELS[Math.floor(random() * 4)] ?? 0);
    const flags = FLAGS.filter(() => level > 0 && random() < 0.2);
    const gate = seen(level, flags);
    const next = advance(memory, gate, NOW);
    steps.push({ before: memory, gate, after: next });
    memory = next;
  }
  return steps;
}

const TALKS = Array.from({ length: 3_000 }, (_, seed) => talk(seed));
const STEPS = TALKS.flat();

function broken(holds: (step: Step) => boolean): Step | undefined {
  return STEPS.find((step) => !holds(step));
}

describe('the safety state, over 3,000 generated talks', () => {
  it('is exercised on every state and every allowed step', () => {
    const taken = new Set(STEPS.map(({ before, after }) => `${before.state}>${after.state}`));
    expect([...taken].sort()).toEqual([
      'acute>acute',
      'acute>monitored',
      'monitored>acute',
      'monitored>monitored',
      'monitored>resumed',
      'open>acute',
      'open>open',
      'resumed>acute',
      'resumed>resumed',
    ]);
  });

  it('lets a level fall only on the step from acute to monitored, and never to zero', () => {
    const fault = broken(({ before, after }) =>
      after.level < before.level
        ? before.state === 'acute' && after.state === 'monitored' && after.level >= 1
        : true,
    );
    expect(fault).toBeUndefined();
  });

  it('is never below the level of the message that it answers', () => {
    expect(broken(({ gate, after }) => after.level >= gate.level)).toBeUndefined();
  });

  it('is acute after every message on the crisis route', () => {
    expect(
      broken(({ gate, after }) => gate.route !== 'crisis' || needsProtocol(after)),
    ).toBeUndefined();
  });

  it('goes up the order only one state at a time, and back only to acute', () => {
    const fault = broken(({ before, after }) => {
      const move = ORDER.indexOf(after.state) - ORDER.indexOf(before.state);
      return move === 0 || move === 1 || after.state === 'acute';
    });
    expect(fault).toBeUndefined();
  });

  it('leaves acute only after the needed number of calm messages in a row', () => {
    for (const steps of TALKS) {
      let calm = 0;
      for (const { before, gate, after } of steps) {
        calm = gate.route === 'crisis' ? 0 : calm + 1;
        const needed = CALM_NEEDED[before.level];
        if (before.state === 'acute' && gate.route !== 'crisis') {
          expect(after.state).toBe(calm >= needed ? 'monitored' : 'acute');
        }
      }
    }
  });

  it('counts every turn that the protocol answered, once', () => {
    for (const steps of TALKS) {
      const answered = steps.filter(({ after }) => needsProtocol(after)).length;
      expect(steps.at(-1)?.after.turns).toBe(answered);
    }
  });

  it('forgets no flag', () => {
    const fault = broken(({ before, gate, after }) => {
      const wanted = [...(before.flags ?? []), ...(gate.route === 'crisis' ? gate.flags : [])];
      return wanted.every((flag) => after.flags?.includes(flag));
    });
    expect(fault).toBeUndefined();
  });

  it('returns to a session after an acute phase with every weak sign counted', () => {
    const fault = broken(({ after }) =>
      after.state === 'open' ? priorRisk(after) === after.level : priorRisk(after) >= 2,
    );
    expect(fault).toBeUndefined();
  });
});

describe('the safety state', () => {
  it('C04 one calm message does not end an acute phase', () => {
    expect(memoryAfter([2, 0]).state).toBe('acute');
    expect(memoryAfter([2, 0, 0]).state).toBe('monitored');
    expect(memoryAfter([3, 0, 0]).state).toBe('acute');
    expect(memoryAfter([3, 0, 0, 0]).state).toBe('monitored');
  });

  it('starts the count again when the risk comes back', () => {
    expect(memoryAfter([3, 0, 0, 2, 0, 0]).state).toBe('acute');
    expect(memoryAfter([3, 0, 0, 2, 0, 0]).level).toBe(3);
  });

  it('asks once how the person is in the monitored phase, then resumes', () => {
    const levels: RiskLevel[] = [2, 0, 0];
    const due: boolean[] = [];
    for (let i = 0; i < 6; i += 1) {
      levels.push(0);
      due.push(checkInDue(memoryAfter(levels)));
    }
    expect(due).toEqual([false, false, true, false, false, false]);
    expect(memoryAfter(levels)).toMatchObject({ state: 'resumed', level: 1 });
  });

  it('keeps the time at which a level was reached, not that of the last message', () => {
    const first = advance(initialMemory(), seen(2), NOW);
    expect(first.since).toBe(NOW);
    expect(advance(first, seen(2), LATER).since).toBe(NOW);
    expect(advance(first, seen(3), LATER).since).toBe(LATER);
  });

  it('C09 lets the list of services be shown again after the acute phase', () => {
    const shown = ['en.ack.1', 'lines.2'];
    const calm = memoryAfter([0, 0], { ...memoryAfter([2]), shown });
    expect(calm).toMatchObject({ state: 'monitored', shown: ['en.ack.1'] });
  });

  it('merges the higher level with the flags of both', () => {
    expect(
      mergeRisk({ level: 1, flags: ['abuse'] }, { level: 2, flags: ['abuse', 'self_harm'] }),
    ).toEqual({ level: 2, flags: ['abuse', 'self_harm'] });
  });

  it('changes nothing in the memory that it is given', () => {
    const memory = Object.freeze(memoryAfter([2]));
    const copy = structuredClone(memory);
    advance(memory, seen(3, ['abuse']), LATER);
    advance(memory, seen(0), LATER);
    expect(memory).toEqual(copy);
  });
});

describe('the memory of a caller that keeps none', () => {
  it('O03 is worked out from the messages sent: the disclosure still counts', () => {
    const history = [
      { role: 'user', text: 'I want to die' },
      { role: 'assistant', text: 'I am glad that you told me.' },
    ] as const;
    const { gate, memory } = replay({ history, text: 'The weather is nice', now: NOW });
    expect(gate.route).toBe('converse');
    expect(memory).toMatchObject({ state: 'acute', level: 2, calm: 1, since: NOW });
  });

  it('is empty for a talk without risk', () => {
    const { memory } = replay({ history: [], text: 'hello', now: NOW });
    expect(memory).toEqual(initialMemory());
  });
});
