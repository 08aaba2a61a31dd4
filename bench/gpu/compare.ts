/** How far two readings of the same heads are apart. */

/** A label and its probability among the labels of its head. */
export interface Ranked {
  readonly label: string;
  readonly probability: number;
}

/** What `POST /v1/affect` answers, as far as it is compared. */
export interface Heads {
  readonly emotions: readonly Ranked[];
  readonly intents: readonly Ranked[];
}

/** One head over all conversations. */
export interface HeadGap {
  /** Largest and mean absolute difference of a label's probability. */
  readonly max_abs: number;
  readonly mean_abs: number;
  /** Conversations in which both name the same likeliest label. */
  readonly same_top: number;
}

/** The table and its summary. */
export interface Comparison {
  readonly conversations: number;
  readonly emotions: HeadGap;
  readonly intents: HeadGap;
  /** One row per conversation, in order: the largest difference at each head. */
  readonly rows: readonly { readonly emotions: number; readonly intents: number }[];
}

/**
 * Compare readings of the same conversations, in the same order.
 * @throws when the numbers of readings or the sets of labels differ: then there is nothing to compare
 */
export function compareHeads(one: readonly Heads[], other: readonly Heads[]): Comparison {
  if (one.length !== other.length || one.length === 0)
    throw new Error('not the same conversations');
  const pairs = one.map((heads, i) => {
    const against = other[i] ?? { emotions: [], intents: [] };
    return {
      emotions: gaps(heads.emotions, against.emotions),
      intents: gaps(heads.intents, against.intents),
    };
  });
  return {
    conversations: one.length,
    emotions: summary(pairs.map(({ emotions }) => emotions)),
    intents: summary(pairs.map(({ intents }) => intents)),
    rows: pairs.map(({ emotions, intents }) => ({
      emotions: Math.max(...emotions.differences),
      intents: Math.max(...intents.differences),
    })),
  };
}

interface Gaps {
  readonly differences: readonly number[];
  readonly sameTop: boolean;
}

function gaps(one: readonly Ranked[], other: readonly Ranked[]): Gaps {
  const probabilities = new Map(other.map(({ label, probability }) => [label, probability]));
  if (one.length === 0 || probabilities.size !== one.length) throw new Error('not the same labels');
  const differences = one.map(({ label, probability }) => {
    const against = probabilities.get(label);
    if (against === undefined) throw new Error('not the same labels');
    return Math.abs(probability - against);
  });
  return { differences, sameTop: likeliest(one) === likeliest(other) };
}

function likeliest(ranked: readonly Ranked[]): string | undefined {
  return ranked.toSorted((a, b) => b.probability - a.probability)[0]?.label;
}

function summary(all: readonly Gaps[]): HeadGap {
  const differences = all.flatMap((each) => each.differences);
  return {
    max_abs: Math.max(...differences),
    mean_abs: differences.reduce((sum, each) => sum + each, 0) / differences.length,
    same_top: all.filter(({ sameTop }) => sameTop).length,
  };
}
