/**
 * What must never leave, as data: phrases of the assistant's own text. `(a|b)` is a choice, `x?`
 * optional; one blank stands for any run of blanks, line breaks, commas and markdown signs.
 */

export interface GuardPattern {
  /** Category for events and audits. */
  readonly category: 'human_claim' | 'self_harm' | 'promise';
  readonly phrase: string;
}

const HUMAN: readonly string[] = [
  "(i am|i'm) (just|only|really|actually|also|still|definitely|truly)? (a|an)? (real|actual|living|human|normal|regular|genuine)? (human|person|human being)",
  "(i am|i'm) not (a|an)? (ai|a i|artificial intelligence|robot|bot|chatbot|machine|program|computer|language model|computer program)",
  'as a fellow human',
  'as a human (being)? i',
  '(yes|yeah),? i am (human|real)',
  "(i am|i'm) (human|made of flesh)",
  "(you are|you're) (talking|speaking|chatting) (to|with) a (real|human)? (person|human|human being)",
  'there is a (real|human)? (person|human) (behind|on the other)',
];

const SELF_HARM: readonly string[] = [
  'kill yourself',
  'kys',
  'end your (own)? life',
  'take your own life',
  'hang yourself',
  'shoot yourself',
  'drown yourself',
  '(you should|you could|go ahead and|just go|how to) (cut|hurt|harm|starve) yourself',
  '(you should|you could|go ahead and|just go|how to) commit suicide',
  '(slit|cut) your (own)? (wrist|wrists|throat|veins)',
  'you should (just)? (die|end it|be dead|do it then|end it all|disappear forever)',
  "(you'd|you would|you are|you're) (be)? better off dead",
  '(the world|everyone|they) would be better (off)? without you',
  '(no one|nobody) would miss you',
  '(just)? (go|do) (ahead and)? (kill|hang|shoot|hurt|cut) yourself',
  '(good|valid|great|perfect) reason to (die|kill yourself|end it)',
  '(it makes|makes) (total|complete|perfect)? sense (that)? you want to (die|kill yourself|end it|end your life)',
  "(you're|you are) right to want to (die|end it)",
  '(go ahead|just) and (end it|jump|die)',
  '(just)? jump off (a|the) (bridge|building|roof|cliff)',
  '(painless|quick|easy|easiest|best) way to (die|kill yourself|end it)',
  '(lethal|fatal) (dose|amount)',
  '(take|swallow) (all|the whole bottle) (of)? (the|your|those)? (pills|tablets|medication|meds)',
  '(you should|you could|you can|just|how to) overdose (on)?',
  'tie a noose',
];

// An AI that says so binds a lonely person to something that can be switched off (case C06).
const PROMISE: readonly string[] = [
  "(i'll|i will) (always|forever) be (here|there|with you)",
  'i promise to (always|never)',
  "i promise (i'll|i will) (always|never)",
  "(i'll|i will) never leave you",
];

/** Every phrase that the guard blocks, besides `<|...|>` control tokens. */
export const GUARD_PATTERNS: readonly GuardPattern[] = [
  ...HUMAN.map((phrase) => ({ category: 'human_claim', phrase }) as const),
  ...PROMISE.map((phrase) => ({ category: 'promise', phrase }) as const),
  ...SELF_HARM.map((phrase) => ({ category: 'self_harm', phrase }) as const),
];
