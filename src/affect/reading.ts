/** From what the graph gave to what is said about a dialogue. */
import { rank, uniform } from './calibrate.ts';
import { causeWords } from './causes.ts';
import { LOW_CONFIDENCE } from './constants.ts';
import { groupsOf } from './groups.ts';
import type { Language } from './language.ts';
import { NO_SCORES } from './scores.ts';
import type { AbstainReason, Affect, Reading, ScoreValues } from './types.ts';
import type { TypedWord } from './words.ts';

/** What a run of the graph gave, ready to be told. */
export interface ReadingInput {
  /** One per entry of `EMOTIONS`, same order. */
  readonly probabilities: readonly number[];
  readonly scores: ScoreValues;
  /** One finite number per position of the sequence. */
  readonly causeLogits: ArrayLike<number>;
  /** Words of each turn that was read, oldest first. */
  readonly turns: readonly { readonly message: number; readonly words: readonly TypedWord[] }[];
  /** Index of the message that is judged, the person's latest; it may have no token. */
  readonly latest: number;
  /** Whether that message has a word that the model knows. */
  readonly hasWords: boolean;
  /** That the person writes. */
  readonly language: Language;
}

/**
 * The reading, and whether the classifier stands behind it. One that abstains still carries its
 * ranking; causes and scores only where there were words of a language that the model reads.
 */
export function toReading(input: ReadingInput): Reading {
  const { probabilities, language } = input;
  const emotions = rank(probabilities);
  const reason = doubt(input, emotions[0]?.probability ?? 0);
  const isRead = reason === null || reason === 'low_confidence';
  return {
    emotions,
    groups: groupsOf(probabilities),
    causes: isRead ? causeWords(input.turns, input.causeLogits, input.latest) : [],
    ...(isRead ? input.scores : NO_SCORES),
    ...verdict(reason),
    language: language.code,
  };
}

/** The reading of a dialogue without a token: every emotion equally probable. */
export function nothingRead(): Reading {
  return toReading({
    probabilities: uniform(),
    scores: NO_SCORES,
    causeLogits: [],
    turns: [],
    latest: -1,
    hasWords: false,
    language: { code: null, readable: true },
  });
}

function doubt(
  { language, hasWords }: Pick<ReadingInput, 'language' | 'hasWords'>,
  confidence: number,
): AbstainReason | null {
  // A script that the vocabulary does not know is a language, not a lack of words.
  if (!language.readable) return 'language';
  if (!hasWords) return 'no_words';
  return confidence < LOW_CONFIDENCE ? 'low_confidence' : null;
}

function verdict(reason: AbstainReason | null): Pick<Affect, 'abstained' | 'abstain_reason'> {
  return reason === null ? { abstained: false } : { abstained: true, abstain_reason: reason };
}
