/** Plain sentences that this is an AI (case C15; California SB 243 § 22602). */
import { FIXED } from './text/fixed.ts';
import type { SafetyLanguage } from './types.ts';

/** Shown at the start of every session and in every crisis talk. */
export const DISCLOSURE =
  'You are talking with an AI, not a person. It can make mistakes and cannot call for help.';

/** The disclosure in a language that has one, else in English. */
export function disclosureIn(language: SafetyLanguage): string {
  return FIXED.get(language)?.disclosure ?? DISCLOSURE;
}
