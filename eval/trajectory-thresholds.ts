/**
 * `npx tsx eval/trajectory-thresholds.ts --data FILE [--half tune|report]`: how often a shift of
 * feeling is reported where there is none, and where there is one, for several limits.
 *
 * Every speaker turn is read alone by the Worker, once. Dialogues with and without a shift are put
 * together from conversations: two (or four) of one label, of another family of the same polarity,
 * of opposite polarity, and two of one label with one turn of an opposite one between them. Feelings
 * do move inside a conversation, so the rate on one label is an upper bound of the false alarms.
 */
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EMOTIONS, type Emotion } from '../src/affect/emotions.ts';
import { familyOf, polarityOf } from '../src/affect/groups.ts';
import { SHIFT_DIVERGENCE, SHIFT_TONE } from '../src/affect/trajectory/constants.ts';
import { findShift, type ShiftLimits } from '../src/affect/trajectory/shift.ts';
import { type ToneTurn, toneTurns } from '../src/affect/trajectory/tone.ts';
import { askEdge } from './ask.ts';
import { type Half, oneHalf, readDialogues } from './dialogues.ts';
import { NO_MODEL, serveWorker } from './serve.ts';

/** What was read of a conversation's speaker turns; `null` where the reading abstained. */
export interface ReadConversation {
  readonly emotion: Emotion;
  readonly turns: readonly (readonly number[] | null)[];
}

interface Sample {
  readonly turns: readonly ToneTurn[];
  /** Number of the first turn of the new feeling. */
  readonly seam: number;
  /** Direction of the tone over the seam. */
  readonly direction: 'up' | 'down' | 'none';
}

/** Rates in percent of `n` dialogues. */
export interface Row {
  readonly set: string;
  readonly n: number;
  readonly limits: string;
  /** A shift of the tone was reported at the end of the dialogue. */
  readonly tone: number;
  /** … in the right direction, since a turn at most one from the seam. */
  readonly placed: number;
  /** Another feeling of about the same tone was reported. */
  readonly sideways: number;
}

const OFF = 99;
const LIMITS: readonly ShiftLimits[] = [
  { tone: SHIFT_TONE, divergence: SHIFT_DIVERGENCE },
  ...[0.4, 0.5, 0.6, 0.7, 0.8].map((tone) => ({ tone, divergence: OFF })),
  ...[0.3, 0.4, 0.5].map((divergence) => ({ tone: OFF, divergence })),
];

/** All sets at all limits. Pure; the order of `conversations` decides who is put together. */
export function rowsOf(conversations: readonly ReadConversation[]): Row[] {
  return Object.entries(setsOf(conversations)).flatMap(([set, samples]) =>
    LIMITS.map((limits) => rowOf(set, samples, limits)),
  );
}

function rowOf(set: string, samples: readonly Sample[], limits: ShiftLimits): Row {
  const share = (count: number) => Number(((100 * count) / samples.length).toFixed(1));
  const shifts = samples.map((sample) => ({ sample, shift: findShift(sample.turns, limits) }));
  const placed = ({ sample, shift }: (typeof shifts)[number]) =>
    shift?.direction === sample.direction && Math.abs(shift.since - sample.seam) <= 1;
  return {
    set,
    n: samples.length,
    limits: nameOf(limits),
    tone: share(shifts.filter(({ shift }) => shift && shift.direction !== 'sideways').length),
    placed: share(shifts.filter(placed).length),
    sideways: share(shifts.filter(({ shift }) => shift?.direction === 'sideways').length),
  };
}

function nameOf({ tone, divergence }: ShiftLimits): string {
  const named = { tone, divergence };
  return Object.entries(named)
    .flatMap(([name, limit]) => (limit === OFF ? [] : [`${name} ${limit}`]))
    .join(', ');
}

function setsOf(conversations: readonly ReadConversation[]): Record<string, Sample[]> {
  const alike = (is: string) =>
    inPairs(conversations.filter(({ emotion }) => polarityOf(emotion) === is));
  const [highs, lows] = [alike('positive'), alike('negative')];
  const mixed = (pairs: readonly Pair[]) =>
    pairs.toSorted(([left], [right]) => conversations.indexOf(left) - conversations.indexOf(right));
  const [up, down] = [mixed(highs), mixed(lows)];
  const opposites = up.flatMap((high, index) => {
    const low = down[index];
    return low === undefined ? [] : [{ high, low }];
  });
  return {
    'one label, 2': [...up, ...down].map(([first, second]) => sampleOf([first], [second], 'none')),
    'one label, 4': [highs, lows].flatMap((pairs) => inFours(pairs)),
    'one label, a stray turn between': opposites.flatMap(({ high, low }) => [
      stray(high, low[0]),
      stray(low, high[0]),
    ]),
    'other family, 2 + 2': [up, down].flatMap((half) => otherFamilies(half)),
    'opposite, 1 + 1': opposites.map(({ high, low }, index) =>
      index % 2 === 0 ? sampleOf([low[0]], [high[0]], 'up') : sampleOf([high[0]], [low[0]], 'down'),
    ),
    'opposite, 2 + 2': opposites.map(({ high, low }, index) =>
      index % 2 === 0 ? sampleOf([...low], [...high], 'up') : sampleOf([...high], [...low], 'down'),
    ),
  };
}

type Pair = readonly [ReadConversation, ReadConversation];

/** Two conversations of one label each, label by label. */
function inPairs(conversations: readonly ReadConversation[]): Pair[] {
  return EMOTIONS.flatMap((label) => {
    const alike = conversations.filter(({ emotion }) => emotion === label);
    return alike.flatMap((first, index): Pair[] => {
      const second = alike[index + 1];
      return index % 2 === 0 && second !== undefined ? [[first, second]] : [];
    });
  });
}

function inFours(pairs: readonly Pair[]): Sample[] {
  return pairs.flatMap((pair, index) => {
    const next = pairs[index + 1];
    const same = next !== undefined && next[0].emotion === pair[0].emotion;
    return same && index % 2 === 0 ? [sampleOf([...pair], [...next], 'none')] : [];
  });
}

function otherFamilies(pairs: readonly Pair[]): Sample[] {
  return pairs.flatMap((pair, index) => {
    const next = pairs[index + 1];
    const differs = next && familyOf(next[0].emotion) !== familyOf(pair[0].emotion);
    return differs ? [sampleOf([...pair], [...next], 'none')] : [];
  });
}

function stray([first, second]: Pair, other: ReadConversation): Sample {
  return sampleOf([first, { ...other, turns: other.turns.slice(0, 1) }], [second], 'none');
}

function sampleOf(
  before: readonly ReadConversation[],
  since: readonly ReadConversation[],
  direction: Sample['direction'],
): Sample {
  const numbered = [...before, ...since]
    .flatMap(({ turns }) => turns)
    .map((probabilities, turn) => ({
      turn,
      probabilities,
      valence: null,
      arousal: null,
      intensity: null,
    }));
  const seam = before.reduce((count, { turns }) => count + turns.length, 0);
  return { turns: toneTurns(numbered), seam, direction };
}

async function read(data: string, half: Half): Promise<ReadConversation[]> {
  const dialogues = await readDialogues(data, { half });
  const said = dialogues.map(({ turns }) =>
    turns.filter(({ role, text }) => role === 'speaker' && text.trim() !== ''),
  );
  const served = await serveWorker(NO_MODEL);
  try {
    const texts = said.flat().map(({ text }) => [{ role: 'user' as const, content: text }]);
    const readings = (await askEdge(served)(texts)).values();
    return dialogues.flatMap(({ emotion }, index) => {
      const turns = (said[index] ?? []).map(() => {
        const reading = readings.next().value;
        return reading === undefined || reading.abstained ? null : reading.probabilities;
      });
      const label = EMOTIONS.find((known) => known === emotion);
      return label === undefined ? [] : [{ emotion: label, turns }];
    });
  } finally {
    await served.close();
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const { values } = parseArgs({ options: { data: { type: 'string' }, half: { type: 'string' } } });
  if (values.data === undefined) throw new Error('--data FILE is missing');
  console.table(rowsOf(await read(values.data, oneHalf(values.half ?? 'tune'))));
}
