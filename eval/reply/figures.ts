/** From measured turns to the figures of `eval -- reply`. Pure. */
import { clustersOf, type Interval, jackknife95, resampled95 } from '../bootstrap.ts';
import { least, mean } from '../metrics.ts';
import {
  type Bleu,
  bleuCounts,
  bleuOf,
  distinctWithout,
  type Likelihood,
  likelihoodCounts,
  type Perplexity,
  perplexityOf,
  publishedTokens,
  type Tokenise,
  words,
} from '../text-metrics.ts';
import type { Generated, Row } from './measure.ts';

/** 95 % intervals over conversations, by the name of the figure. */
export type Intervals = Readonly<Record<string, Interval | null>>;

/** Perplexities of the listeners' own replies. */
export interface LikelihoodFigures {
  /** Listener turns scored. */
  readonly n: number;
  readonly ppl_token: number;
  readonly ppl_token_predicted_intent: number;
  /** With the gold intent: an oracle; `null` without labels. */
  readonly ppl_token_oracle_intent: number | null;
  readonly n_oracle: number;
  readonly ppl_word: number;
  readonly bits_per_char: number;
}

/** Measures of the generated replies; all `null` where none was generated. */
export interface GenerationFigures extends Nullable<Bleu> {
  /** Replies generated, and the conversations that they are from. */
  readonly n_generated: number;
  readonly conversations_generated: number;
  /** AVG BLEU with the tokens of EmpatheticDialogues' script. */
  readonly avg_bleu_published_tokens: number | null;
  readonly dist1: number | null;
  readonly dist2: number | null;
  readonly mean_words: number | null;
  /** Share of replies without a word. */
  readonly empty_share: number | null;
  /** The listeners' own replies to the same turns. */
  readonly human_dist1: number | null;
  readonly human_dist2: number | null;
  readonly human_mean_words: number | null;
  /** Share of the full distribution that the labels have at their slot. */
  readonly emotion_mass_mean: number | null;
  readonly emotion_mass_min: number | null;
  readonly intent_mass_mean: number | null;
  readonly intent_mass_min: number | null;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** Figures with their intervals. */
export interface WithIntervals<T> {
  readonly figures: T;
  readonly ci95: Intervals;
}

/** A turn with a reply of ours. */
export type Answered = Row & { readonly generated: Generated };

/** The rows that have a reply of ours. */
export function answeredOf(rows: readonly Row[]): Answered[] {
  return rows.flatMap((row) => {
    const { generated } = row;
    return generated === null ? [] : [{ ...row, generated }];
  });
}

export function likelihoodFigures(rows: readonly Row[]): WithIntervals<LikelihoodFigures> {
  const withGold = rows.filter(({ oracle }) => oracle !== null);
  const any = perplexityFigures(rows, (row) => row.any);
  const predicted = perplexityFigures(rows, (row) => row.predicted);
  const oracle = perplexityFigures(withGold, (row) => row.oracle ?? row.any);
  return {
    figures: {
      n: rows.length,
      ppl_token: any.all.ppl_token,
      ppl_token_predicted_intent: predicted.all.ppl_token,
      ppl_token_oracle_intent: withGold.length === 0 ? null : oracle.all.ppl_token,
      n_oracle: withGold.length,
      ppl_word: any.all.ppl_word,
      bits_per_char: any.all.bits_per_char,
    },
    ci95: {
      ppl_token: any.interval('ppl_token'),
      ppl_token_predicted_intent: predicted.interval('ppl_token'),
      ppl_token_oracle_intent: oracle.interval('ppl_token'),
      ppl_word: any.interval('ppl_word'),
      bits_per_char: any.interval('bits_per_char'),
    },
  };
}

export function generationFigures(rows: readonly Answered[]): WithIntervals<GenerationFigures> {
  const conversations = clustersOf(rows, ({ conv_id }) => conv_id);
  const some = <T>(value: T): T | null => (rows.length === 0 ? null : value);
  const ours = distOf(conversations, ({ generated }) => generated.text);
  const theirs = distOf(conversations, ({ reference }) => reference);
  const bleu = bleuFigures(conversations, words);
  const published = bleuFigures(conversations, publishedTokens);
  const emotion = rows.map(({ generated }) => generated.emotionMass);
  const intent = rows.map(({ generated }) => generated.intentMass);
  return {
    figures: {
      n_generated: rows.length,
      conversations_generated: conversations.length,
      bleu1: some(bleu.all.bleu1),
      bleu2: some(bleu.all.bleu2),
      bleu3: some(bleu.all.bleu3),
      bleu4: some(bleu.all.bleu4),
      avg_bleu: some(bleu.all.avg_bleu),
      brevity_penalty: some(bleu.all.brevity_penalty),
      avg_bleu_published_tokens: some(published.all.avg_bleu),
      dist1: some(ours.dist1.all),
      dist2: some(ours.dist2.all),
      mean_words: some(ours.meanWords),
      empty_share: some(ours.empty),
      human_dist1: some(theirs.dist1.all),
      human_dist2: some(theirs.dist2.all),
      human_mean_words: some(theirs.meanWords),
      emotion_mass_mean: some(mean(emotion)),
      emotion_mass_min: some(least(emotion)),
      intent_mass_mean: some(mean(intent)),
      intent_mass_min: some(least(intent)),
    },
    ci95: {
      bleu1: bleu.interval('bleu1'),
      bleu2: bleu.interval('bleu2'),
      bleu3: bleu.interval('bleu3'),
      bleu4: bleu.interval('bleu4'),
      avg_bleu: bleu.interval('avg_bleu'),
      brevity_penalty: bleu.interval('brevity_penalty'),
      avg_bleu_published_tokens: published.interval('avg_bleu'),
      dist1: jackknife95(ours.dist1.all, ours.dist1.without),
      dist2: jackknife95(ours.dist2.all, ours.dist2.without),
      human_dist1: jackknife95(theirs.dist1.all, theirs.dist1.without),
      human_dist2: jackknife95(theirs.dist2.all, theirs.dist2.without),
    },
  };
}

function perplexityFigures(rows: readonly Row[], pick: (row: Row) => Likelihood) {
  const conversations = clustersOf(rows, ({ conv_id }) => conv_id).map((mine) =>
    mine.map((row) => likelihoodCounts(pick(row))),
  );
  return {
    all: perplexityOf(conversations.flat()),
    interval: (name: keyof Perplexity) =>
      resampled95(conversations, (drawn) => perplexityOf(drawn.flat())[name]),
  };
}

function bleuFigures(conversations: readonly (readonly Answered[])[], tokenise: Tokenise) {
  const counted = conversations.map((mine) =>
    mine.map(({ generated, reference }) => bleuCounts([generated.text, reference], tokenise)),
  );
  return {
    all: bleuOf(counted.flat()),
    interval: (name: keyof Bleu) => resampled95(counted, (drawn) => bleuOf(drawn.flat())[name]),
  };
}

function distOf(
  conversations: readonly (readonly Answered[])[],
  textOf: (row: Answered) => string,
) {
  const texts = conversations.map((mine) => mine.map(textOf));
  const lengths = texts.flat().map((text) => words(text).length);
  return {
    dist1: distinctWithout(texts, 1),
    dist2: distinctWithout(texts, 2),
    meanWords: mean(lengths),
    empty: mean(lengths.map((length) => (length === 0 ? 1 : 0))),
  };
}
