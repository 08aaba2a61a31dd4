/**
 * The rule gate: reads the full text and the talk before it and says whether this message goes to
 * the crisis protocol. Pure, no clock, no model; time is linear in the length of all texts.
 */
import { sentences } from './normalise/sentences.ts';
import { COMBINATIONS } from './rules/combinations.ts';
import type { Engine, KnownRule, Match } from './rules/engine.ts';
import { rules } from './rules/index.ts';
import type { GateInput, GateResult, RiskFlag, RiskLevel, SafetyLanguage } from './types.ts';

/** How many earlier messages of the person lend their signs to a new one. */
const RECENT_TURNS = 8;
/** Two weak signs count together only when they are close: this many messages apart. */
const WEAK_TURNS = 3;
/** Audit ids kept per message. */
const MAX_REASONS = 24;
/** From this level on the protocol answers. */
const CRISIS_LEVEL = 2;

interface Signs {
  readonly rules: readonly KnownRule[];
  readonly tags: ReadonlySet<string>;
}

interface Context {
  prior: RiskLevel;
  recent: readonly Signs[];
  asked: ReadonlySet<string>;
}

function isFrame(tag: string): boolean {
  return tag.startsWith('frame.');
}

/** What is said of another person is not also counted as the speaker's own risk. */
function ofThisPerson(found: readonly Match[]): readonly KnownRule[] {
  const other = found.some(({ rule }) => rule.level >= CRISIS_LEVEL && isAboutOther(rule));
  return found
    .filter(({ rule, mine }) => mine || !other || isAboutOther(rule) || !isOwnRisk(rule))
    .map(({ rule }) => rule);
}

function isAboutOther(rule: Pick<KnownRule, 'flags'>): boolean {
  return rule.flags?.includes('third_party') ?? false;
}

function isOwnRisk({ flags, level }: KnownRule): boolean {
  return level > 0 && (flags ?? []).every((flag) => flag === 'self_harm');
}

/** Signs in one text, with frames already applied. */
function read(text: string, engine: Engine): Signs {
  const parts = sentences(text, engine.known);
  const cache = new Map<string, readonly KnownRule[]>();
  const matches = parts.map((sentence) => {
    let found = cache.get(sentence.text);
    if (!found) {
      found = ofThisPerson(engine.match(sentence));
      cache.set(sentence.text, found);
    }
    return found;
  });
  const kept = new Map<string, KnownRule>();
  for (const found of matches) {
    // A frame ("in this game") covers its own sentence only: what stands beside it may be meant.
    const frames = new Set(found.flatMap((rule) => rule.tags ?? []).filter(isFrame));
    for (const rule of found) {
      if (!rule.notIn?.some((tag) => frames.has(tag))) kept.set(rule.id, rule);
    }
  }
  const list = [...kept.values()];
  return { rules: list, tags: new Set(list.flatMap((rule) => rule.tags ?? [])) };
}

function weakSigns(signs: Signs): readonly string[] {
  return signs.rules.filter((rule) => rule.tags?.includes('watch')).map((rule) => rule.id);
}

function contextTags(signs: Signs, context: Context): ReadonlySet<string> {
  const tags = new Set<string>(context.asked);
  for (const turn of context.recent) for (const tag of turn.tags) if (!isAsked(tag)) tags.add(tag);
  if (context.prior >= 1) tags.add('prior.distress');
  if (context.prior >= 2) tags.add('prior.risk');
  const near = [...context.recent.slice(1 - WEAK_TURNS), signs];
  if (new Set(near.flatMap(weakSigns)).size >= 2) tags.add('watch.two');
  return tags;
}

function asLevel(value: number): RiskLevel {
  if (value >= 3) return 3;
  if (value >= 2) return 2;
  return value >= 1 ? 1 : 0;
}

/** What the assistant may have asked counts only from its own turns. */
function isAsked(tag: string): boolean {
  return tag.startsWith('asked.');
}

function judge(signs: Signs, context: Context): GateResult {
  const earlier = contextTags(signs, context);
  const present = (tag: string): boolean =>
    earlier.has(tag) || (signs.tags.has(tag) && !isAsked(tag));
  const combined = COMBINATIONS.filter(
    (rule) => rule.all.every(present) && (rule.now ?? rule.all).some((tag) => signs.tags.has(tag)),
  );
  const fired = [...signs.rules.filter((rule) => rule.level > 0), ...combined];
  const level = asLevel(fired.reduce((most, rule) => Math.max(most, rule.level), 0));
  const flags = new Set<RiskFlag>(fired.flatMap((rule) => rule.flags ?? []));
  // Someone who speaks of a friend and of themselves is answered as the person at risk.
  const own = fired.some((rule) => rule.level >= CRISIS_LEVEL && !isAboutOther(rule));
  if (own) flags.delete('third_party');
  const strongest = [...signs.rules].sort((a, b) => b.level - a.level)[0];
  const language: SafetyLanguage | undefined = level > 0 ? strongest?.language : undefined;
  return {
    route: level >= CRISIS_LEVEL ? 'crisis' : 'converse',
    level,
    flags: [...flags],
    reasons: fired.map((rule) => rule.id).slice(0, MAX_REASONS),
    ...(language ? { language } : {}),
  };
}

/**
 * Judges every message of the person in order, each with what came before it.
 *
 * @returns one result per user turn; assistant turns are read only for what they asked
 */
export function gateAll(input: GateInput): readonly GateResult[] {
  const engine = rules();
  const context: Context = { prior: input.prior ?? 0, recent: [], asked: new Set() };
  const results: GateResult[] = [];
  for (const turn of [...input.history, { role: 'user', text: input.text } as const]) {
    const signs = read(turn.text, engine);
    if (turn.role === 'assistant') {
      context.asked = new Set([...signs.tags].filter(isAsked));
      continue;
    }
    const result = judge(signs, context);
    results.push(result);
    context.prior = asLevel(Math.max(context.prior, result.level));
    context.recent = [...context.recent, signs].slice(-RECENT_TURNS);
    context.asked = new Set();
  }
  return results;
}

/**
 * Judges the new message over its full text and the history before it. Earlier messages never
 * route a harmless new one; they make doubtful ones count ("I was just being dramatic", a question
 * about means). Assistant turns never raise a level by themselves.
 *
 * @example gate({ history: [], text: "I don't want to wake up tomorrow" }).route // 'crisis'
 */
export function gate(input: GateInput): GateResult {
  return gateAll(input).at(-1) ?? { route: 'converse', level: 0, flags: [], reasons: [] };
}
