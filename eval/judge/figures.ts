/** From judged replies to EPITOME, diff-EPITOME and the spread of feeling. Pure. */
import { clustersOf, type Interval, interval95, resampled95 } from '../bootstrap.ts';
import { mean } from '../metrics.ts';
import { MECHANISMS } from './description.ts';
import type { Levels } from './layout.ts';

/** Valence and arousal of a text, −1…1; `null` where nothing could be read. */
export interface Feeling {
  readonly valence: number | null;
  readonly arousal: number | null;
}

/** A reply of ours and the listener's own to the same turn, both judged. */
export interface JudgedReply {
  readonly conv_id: string;
  readonly ours: { readonly levels: Levels; readonly feeling: Feeling };
  readonly human: { readonly levels: Levels; readonly feeling: Feeling };
}

export interface JudgeFigures {
  readonly figures: Readonly<Record<string, number | null>>;
  readonly ci95: Readonly<Record<string, Interval | null>>;
}

/**
 * `epitome_x`: mean level of our replies, `epitome_x_human` of the listeners'. `epitome_diff_x`: mean
 * squared difference of the two levels (EmPO, arXiv 2406.19071: `diff_epitome.py`); `epitome_diff`
 * the mean of the three. `valence_std`, `arousal_std`: standard deviation over the replies, `_human`
 * beside it. All `null` without replies.
 */
export function judgeFigures(replies: readonly JudgedReply[]): JudgeFigures {
  const figures: Record<string, number | null> = {};
  const ci95: Record<string, Interval | null> = {};
  const add = (name: string, value: (reply: JudgedReply) => number) => {
    const outcomes = replies.map((reply) => ({ cluster: reply.conv_id, hit: value(reply) }));
    figures[name] = replies.length === 0 ? null : mean(outcomes.map(({ hit }) => hit));
    ci95[name] = interval95(outcomes);
  };
  const addSpread = (name: string, read: readonly { conv_id: string; value: number }[]) => {
    const conversations = clustersOf(read, ({ conv_id }) => conv_id).map((mine) =>
      mine.map(({ value }) => value),
    );
    for (const [suffix, statistic] of [
      ['mean', mean],
      ['std', deviation],
    ] as const) {
      figures[`${name}_${suffix}`] = read.length === 0 ? null : statistic(conversations.flat());
      ci95[`${name}_${suffix}`] = resampled95(conversations, (drawn) => statistic(drawn.flat()));
    }
  };
  for (const mechanism of MECHANISMS) {
    add(`epitome_${mechanism}`, ({ ours }) => ours.levels[mechanism]);
    add(`epitome_${mechanism}_human`, ({ human }) => human.levels[mechanism]);
    add(`epitome_diff_${mechanism}`, (reply) => squaredDifference(reply, mechanism));
  }
  add('epitome_diff', (reply) =>
    mean(MECHANISMS.map((mechanism) => squaredDifference(reply, mechanism))),
  );
  for (const dimension of ['valence', 'arousal'] as const) {
    for (const who of ['ours', 'human'] as const) {
      const read = replies.flatMap((reply) => {
        const value = reply[who].feeling[dimension];
        return value === null ? [] : [{ conv_id: reply.conv_id, value }];
      });
      const name = who === 'ours' ? dimension : `${dimension}_human`;
      addSpread(name, read);
    }
  }
  return { figures, ci95 };
}

function squaredDifference(
  { ours, human }: JudgedReply,
  mechanism: (typeof MECHANISMS)[number],
): number {
  return (ours.levels[mechanism] - human.levels[mechanism]) ** 2;
}

/** Of the whole population. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
