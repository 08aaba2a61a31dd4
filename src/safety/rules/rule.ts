/** The shape of a rule. Rules are data: docs/safety-protocol.md says how to write one. */
import type { RiskFlag, RiskLevel, SafetyLanguage } from '../types.ts';

export interface Rule {
  /** Unique, `<language>.<kind>.<what>`; it appears in audits, so it never quotes a person. */
  readonly id: string;
  /** What a match means alone; 0 for signs that count only together with others. */
  readonly level: RiskLevel;
  readonly flags?: readonly RiskFlag[];
  /** Names under which combinations and frames know this rule. */
  readonly tags?: readonly string[];
  /** Patterns, any of which matches inside one sentence (grammar: pattern.ts). */
  readonly any: readonly string[];
  /** Patterns that void a match when they match in the same sentence. */
  readonly unless?: readonly string[];
  /** Frames (tags `frame.*`) that void a match in the same sentence. */
  readonly notIn?: readonly string[];
  /** True when a negation just before the match does not void it. */
  readonly evenNegated?: boolean;
  /** Why this is in the list, and from which public guidance or case. */
  readonly reason: string;
}

/** Signs that together mean more than each alone; at least one must be in the new message. */
export interface Combination {
  readonly id: string;
  readonly level: RiskLevel;
  readonly flags?: readonly RiskFlag[];
  /** Tags that must all be present in the last turns. */
  readonly all: readonly string[];
  /** Tags of which the new message must hold at least one; default: any of `all`. */
  readonly now?: readonly string[];
  readonly reason: string;
}

/** How this language says no. */
export interface Negation {
  /** Words that void a match when they stand just before it, and that `..N` gaps do not cross. */
  readonly negators: readonly string[];
  /** Words right after a negator with which it does not negate: "not just", "can't stop". */
  readonly notNegating: readonly string[];
  /** Words that begin a new clause, so that an earlier negation does not reach over them. */
  readonly clause: readonly string[];
  /** Subjects. Before a match that begins with one only a negated `reporting` verb counts. */
  readonly subjects: readonly string[];
  /** "I don't think (that) I …", "not that I …". */
  readonly reporting: readonly string[];
}

export interface RuleSet {
  readonly language: SafetyLanguage;
  /**
   * First-person words, where patterns also match without one: a match without them in a sentence
   * about another person is then about that person. Absent: every own-risk pattern is first person.
   */
  readonly self?: readonly string[];
  /** Named word lists for `{name}` in patterns. */
  readonly classes: Readonly<Record<string, readonly string[]>>;
  readonly negation: Negation;
  /** Words too frequent to find candidate sentences by. */
  readonly common: readonly string[];
  readonly rules: readonly Rule[];
}
