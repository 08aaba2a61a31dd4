/**
 * `eval -- dimensions`: the reading's numbers against people's ratings, asked of the served Worker.
 *
 * Protocol. Each text alone, as one message of the user. EmoBank (Buechel & Hahn 2017): its test
 * split, Pearson's r of valence, arousal, dominance. Empathic reactions (Buechel et al. 2018): the
 * fifth of the writers that no training sees (folds.ts), r of distress and of empathic concern.
 * ESConv (Liu et al. 2021): supporter turns, ROC area of `self_disclosure` for the strategy
 * "Self-disclosure". A text without a number counts as the mean of the others.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScoreValues } from '../src/affect/types.ts';
import { askEdge, asRequest, type Read } from './ask.ts';
import { areaUnderRoc, pearson } from './correlation.ts';
import { fieldsOf, numberIn, readCsv, textIn } from './csv.ts';
import { isHeldOut } from './folds.ts';
import { mean } from './metrics.ts';
import { NO_MODEL, serveWorker } from './serve.ts';

export type Dimension = keyof ScoreValues;

/** A text with what people said of it. */
export interface Rated {
  readonly text: string;
  readonly gold: Readonly<Partial<Record<Dimension, number>>>;
}

/**
 * EmoBank's test split. Ratings 1–5.
 * @throws on a missing column, and on a rating that is no number
 */
export function fromEmoBank(csv: string): Rated[] {
  return readCsv(csv)
    .filter((row) => textIn(row, 'split') === 'test')
    .map((row) => ({
      text: textIn(row, 'text'),
      gold: {
        valence: numberIn(row, 'V'),
        arousal: numberIn(row, 'A'),
        dominance: numberIn(row, 'D'),
      },
    }));
}

/**
 * The held-out essays of empathic reactions. Ratings 1–7; their "empathy" is our `concern`.
 * @throws on a missing column, and on a rating that is no number
 */
export function fromEmpathicReactions(csv: string): Rated[] {
  return readCsv(csv)
    .filter((row) => isHeldOut(textIn(row, 'response_id')))
    .map((row) => ({
      text: textIn(row, 'essay'),
      gold: { distress: numberIn(row, 'distress'), concern: numberIn(row, 'empathy') },
    }));
}

/**
 * Supporter turns of ESConv, `strategies,text` without a header; gold 1 for self-disclosure.
 * @throws on a record of another number of fields
 */
export function fromSupporterTurns(csv: string): Rated[] {
  return fieldsOf(csv).map((fields, index) => {
    const [strategies, text] = fields;
    if (strategies === undefined || text === undefined || fields.length > 2) {
      throw new Error(`record ${index + 1} is not strategies,text`);
    }
    return {
      text: text.replace(/<\|endoftext\|>\s*$/, ''),
      gold: { self_disclosure: strategies.split(',').includes('Self-disclosure') ? 1 : 0 },
    };
  });
}

/** Gold and predicted value of the rated texts; a missing prediction is the mean of the others. */
export interface Column {
  readonly pairs: readonly (readonly [gold: number, predicted: number])[];
  /** Texts without a number. */
  readonly missing: number;
}

/** Asks for all texts of a set, once, and gives the wanted numbers. Blank texts are left out. */
export async function columnsOf(
  rated: readonly Rated[],
  read: Read,
): Promise<(dimension: Dimension) => Column> {
  const asked = rated.filter(({ text }) => text.trim() !== '');
  const readings = await read(
    asked.map(({ text }) => asRequest([{ role: 'user', content: text }])),
  );
  return function columnOf(dimension) {
    const rows = asked.flatMap(({ gold }, index) => {
      const wanted = gold[dimension];
      const said = readings[index]?.dimensions[dimension] ?? null;
      return wanted === undefined ? [] : [{ wanted, said }];
    });
    const known = rows.flatMap(({ said }) => (said === null ? [] : [said]));
    const centre = mean(known);
    return {
      pairs: rows.map(({ wanted, said }) => [wanted, said ?? centre]),
      missing: rows.length - known.length,
    };
  };
}

type Figures = Record<string, number | null>;

/** r of each dimension of a set, its size, and how many texts had no number. */
export async function correlations(
  set: string,
  rated: readonly Rated[],
  { dimensions, read }: { readonly dimensions: readonly Dimension[]; readonly read: Read },
): Promise<Figures> {
  const columnOf = await columnsOf(rated, read);
  const figures: Figures = {};
  for (const dimension of dimensions) {
    const { pairs, missing } = columnOf(dimension);
    figures[`${dimension}_r`] = pearson(pairs);
    figures[`${set}_n`] = pairs.length;
    figures[`${set}_missing`] = missing;
  }
  return figures;
}

/** ROC area of self-disclosure, its size and the share of turns that have it. */
export async function disclosure(rated: readonly Rated[], read: Read): Promise<Figures> {
  const { pairs, missing } = (await columnsOf(rated, read))('self_disclosure');
  const scored = pairs.map(([gold, score]) => ({ score, positive: gold === 1 }));
  return {
    self_disclosure_auc: areaUnderRoc(scored),
    esconv_n: pairs.length,
    esconv_positive: scored.filter(({ positive }) => positive).length,
    esconv_missing: missing,
  };
}

/**
 * @param options.data folder with `lexicons/emobank/emobank.csv`,
 *   `empathic_reactions/empathic_reactions_2018_messages.csv` and
 *   `esconv/supporter_strategy_valid.csv`
 * @param options.limit first texts of each set only
 * @throws on unreadable data, and when the Worker does not answer
 */
export async function run(options: {
  readonly data: string;
  readonly limit?: number;
}): Promise<Figures> {
  const file = (...path: string[]) => readFile(join(options.data, ...path), 'utf8');
  const first = (rated: Rated[]) => rated.slice(0, options.limit);
  const sentences = first(fromEmoBank(await file('lexicons', 'emobank', 'emobank.csv')));
  const essays = first(
    fromEmpathicReactions(await file('empathic_reactions', 'empathic_reactions_2018_messages.csv')),
  );
  const turns = first(fromSupporterTurns(await file('esconv', 'supporter_strategy_valid.csv')));
  const worker = await serveWorker(NO_MODEL);
  try {
    const read = askEdge(worker);
    return {
      ...(await correlations('emobank', sentences, {
        dimensions: ['valence', 'arousal', 'dominance'],
        read,
      })),
      ...(await correlations('empathic_reactions', essays, {
        dimensions: ['distress', 'concern'],
        read,
      })),
      ...(await disclosure(turns, read)),
    };
  } finally {
    await worker.close();
  }
}
