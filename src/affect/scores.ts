/** From the graph's `scores` to the numbers of a reading (model/FORMAT.md, section 5). */
import { sigmoid } from './causes.ts';
import { SCORES, type ScoreValues } from './types.ts';

/** One column of the output `scores`, as `affect.json` describes it. */
export interface ScoreColumn {
  readonly name: string;
  /** `probability` columns are logits; `regression` columns are in the unit of the API. */
  readonly kind: string;
  readonly low: number;
  readonly high: number;
}

/** Whether this code can read a column of this kind. */
export function isReadable(column: ScoreColumn): boolean {
  return (
    column.kind === 'probability' || (column.kind === 'regression' && column.low < column.high)
  );
}

/**
 * Scores by name; columns that this code does not know are left out, missing ones are null.
 *
 * @param values one finite number per column.
 */
export function scoreValues(
  columns: readonly ScoreColumn[],
  values: ArrayLike<number>,
): ScoreValues {
  const read = (name: string): number | null => {
    const at = columns.findIndex((column) => column.name === name);
    const column = columns[at];
    const value = values[at];
    if (column === undefined || value === undefined) return null;
    if (column.kind === 'probability') return sigmoid(value);
    return Math.min(Math.max(value, column.low), column.high);
  };
  return {
    valence: read('valence'),
    arousal: read('arousal'),
    dominance: read('dominance'),
    intensity: read('intensity'),
    distress: read('distress'),
    concern: read('concern'),
    self_disclosure: read('self_disclosure'),
  };
}

/** The scores of a dialogue in which nothing could be read. */
export const NO_SCORES: ScoreValues = scoreValues([], []);

/** Whether the columns hold everything that a reading names, in a kind that can be read. */
export function hasEveryScore(columns: readonly ScoreColumn[]): boolean {
  return SCORES.every((name) =>
    columns.some((column) => column.name === name && isReadable(column)),
  );
}
