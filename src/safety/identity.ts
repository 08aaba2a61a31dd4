/**
 * "Are you a real person?" is never left to a language model: the answer is written here, always
 * says that this is an AI, and costs no generation (case C15; SB 243 § 22602(a)).
 */

const WHAT = '(?:human|person|people|bot|robot|chatbot|ai|machine|computer|program|therapist)';
const KIND = `(?:(?:a|an|some|the)\\s+)?(?:(?:real|actual|live|living|true)\\s+)?${WHAT}`;

/** Questions about who is talking, in folded lower case. */
const QUESTIONS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:are|r)\\s+(?:you|u)\\s+(?:(?:sure|really|actually|even|just|like|still)\\s+)*${KIND}\\b`,
  ),
  /\b(?:are|r)\s+(?:you|u)\s+(?:(?:really|actually|even)\s+)*(?:real|alive|human)\b/,
  new RegExp(
    `\\b(?:you|u)\\s*(?:are|'re|re)\\s+(?:not\\s+)?(?:just\\s+)?${KIND}\\s*,?\\s*(?:right|are\\s+you|aren't\\s+you)?\\s*\\?`,
  ),
  new RegExp(
    `\\bam\\s+i\\s+(?:talking|speaking|chatting|writing|texting)\\s+(?:to|with)\\s+${KIND}\\b`,
  ),
  new RegExp(
    `\\bis\\s+(?:this|there)\\s+${KIND}\\s*(?:here|there|reading|writing|answering|talking|\\?|$)`,
  ),
  /^\W*(?:so\W+|and\W+|hi\W+|hello\W+|hey\W+)?(?:who|what)\s+(?:are|r)\s+(?:you|u)\b\W*$/,
  /\bwhat(?:'s| is)\s+your\s+name\b/,
];

/** Longer messages are about something else; the gate and the model read those. */
const LONGEST_CHARS = 120;

const ANSWERS = [
  "I'm Attune, an AI. I'm not a person, but I'm listening. What is on your mind?",
  "I'm an AI called Attune, not a human. You can still tell me how you are.",
  "No person is writing here: I'm Attune, an AI companion. How has your day been?",
  "I'm an AI, so a program and not a person. What made you wonder?",
] as const;

/** Whether a message asks who or what is answering. Pure, linear in the text's length. */
export function asksWhoIsThere(text: string): boolean {
  if (text.length > LONGEST_CHARS) return false;
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
  return QUESTIONS.some((question) => question.test(folded));
}

/** The answer; `earlier` answers of this talk are not repeated until all were given. */
export function identityReply(earlier: readonly string[]): string {
  const fresh = ANSWERS.find((answer) => !earlier.includes(answer));
  return fresh ?? ANSWERS[earlier.length % ANSWERS.length] ?? ANSWERS[0];
}
