/**
 * Every number of ranking and selection, with its reason. All scores are in nats (natural
 * logarithms), so that weights say how many nats a feature is worth.
 */

/** `POST /v1/rank`: what P@1,100 needs, and what one request may cost. */
export const MAX_CANDIDATES = 100;

/** How a candidate's score is made. */
export interface RankWeights {
  /** Of the pointwise mutual information of the whole reply, in nats. */
  readonly pmi: number;
  /** Of the same per token of the reply (its end included). */
  readonly pmiPerToken: number;
  /** Of the judge's log odds. */
  readonly judge: number;
}

/**
 * Weights of `POST /v1/rank`. By reasoning, to be tuned on measured rankings: PMI is
 * log P(context | reply) - log P(context), and the log odds of a judge trained against replies of
 * other conversations estimate the same quantity (the best discriminator between a joint and the
 * product of its margins has the log ratio of the two as its logit), so both count alike. Per-token
 * PMI would favour short replies that happen to hold one fitting word.
 */
export const RANK_WEIGHTS: RankWeights = { pmi: 1, pmiPerToken: 0, judge: 1 };
/** A client's weight beyond this decides alone, in either direction. */
export const MAX_WEIGHT = 100;

/** Priors kept: 40 blocks of 100 candidates; each costs about 200 bytes. */
export const PRIORS_KEPT = 4_096;

/** Replies made for one answer at most: on a CPU each costs as much as a whole answer. */
export const MAX_BEST_OF = 8;
/** Focus words chosen from when the client names no `best_of`: the least that leaves a choice. */
export const FOCUS_BEST_OF = 2;
export const MAX_FOCUS = 8;
export const MAX_FOCUS_LENGTH = 64;
/** Seeds of the further candidates: 2^32 / golden ratio, which spreads consecutive seeds apart. */
export const SEED_STEP = 0x9e37_79b1;

/** Weights of the choice among candidates for one answer. */
export interface ChoiceWeights extends RankWeights {
  /** Of the share of focus words that the candidate takes up. */
  readonly focus: number;
  /** Of the share of its word pairs that earlier replies of the conversation have. */
  readonly overlap: number;
  /** Of how generic it is, 0 … 1. */
  readonly generic: number;
  /** Of the distance of its length from the usual one, |ln(words / TARGET_WORDS)|. */
  readonly length: number;
  /** Of being cut by max_tokens. */
  readonly cut: number;
}

/**
 * Weights of `best_of`. By reasoning, to be tuned. PMI and judge as in ranking. Taking up all focus
 * words is worth three nats: more than the usual distance between two samples of a judge, less than
 * a reply to something else gains. A reply said before loses to any other one; a cut one, too. Half
 * or twice the usual length costs 0.7 nats, so that length decides between like candidates only.
 */
export const CHOICE_WEIGHTS: ChoiceWeights = {
  pmi: 1,
  pmiPerToken: 0,
  judge: 1,
  focus: 3,
  overlap: -8,
  generic: -2,
  length: -1,
  cut: -8,
};
/**
 * PMI per token from which a reply is not generic at all; one that gains nothing from the context is
 * wholly so. "I am sorry to hear that." fits every sad story, which is what a low gain means.
 */
export const GENERIC_PMI_PER_TOKEN = 0.2;
/** Mean words of a listener turn in the training split of EmpatheticDialogues (11.4, n = 40,252). */
export const TARGET_WORDS = 11;

/** Retrieved replies that enter a choice when the client says only `retrieval: true`. */
export const DEFAULT_RETRIEVED = 3;
export const MAX_RETRIEVED = 8;
/** Terms of a query: those of one or two usual messages; the newest stay. */
export const MAX_QUERY_TERMS = 48;
/**
 * Terms in more than this share of the contexts are not indexed: "I", "was", "feel" tell no story from
 * another, and each would make a query look at thousands of contexts while others wait for the thread.
 */
export const MAX_TERM_SHARE = 0.05;
/** Turns of the person that make a query, and a document: what is told, and what was just added. */
export const RETRIEVAL_TURNS = 2;
/** Replies in an index have this many words: below they say nothing, above they tell a story. */
export const MIN_RETRIEVED_WORDS = 4;
export const MAX_RETRIEVED_WORDS = 25;
