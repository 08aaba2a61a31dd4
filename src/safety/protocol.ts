/**
 * The crisis protocol: writes the answer while a session is acute, without any language model. It
 * acknowledges, asks directly, shows the local services with the emergency number first, stays in
 * the talk, says that it is an AI, and does not repeat itself (docs/safety-protocol.md).
 */
import type { DialogueTurn } from '../affect/types.ts';
import { DISCLOSURE, disclosureIn } from './disclosure.ts';
import { type HelplineAnswer, helplinesFor } from './helplines.ts';
import { compose, type Situation, situationOf } from './protocol/compose.ts';
import { hear } from './protocol/feeling.ts';
import { emergencyText, firstService, resourceLines } from './protocol/resource-text.ts';
import { EN, EN_LABELS } from './text/en/index.ts';
import { FIXED } from './text/fixed.ts';
import type { FixedText } from './text/text.ts';
import type {
  GateResult,
  ProtocolReply,
  SafetyEvent,
  SafetyLanguage,
  SafetyMemory,
} from './types.ts';

export interface ProtocolInput {
  readonly gate: GateResult;
  /** Memory after `advance` for this message. */
  readonly memory: SafetyMemory;
  readonly region: string | null;
  /** Explicit locale of the session, or null. */
  readonly locale: string | null;
  readonly history: readonly DialogueTurn[];
  readonly text: string;
}

/** Ids kept in a session's memory; far more than a talk of a day uses. */
const MAX_SHOWN = 400;
/** Services in an event. */
const MAX_RESOURCES = 12;
const LANGUAGES: readonly SafetyLanguage[] = ['en', 'es', 'fr', 'de', 'pt', 'it'];

const { lines: LINES_INTRO = [] } = EN;

/** Language with a reply for this locale, or null. */
function languageOf(locale: string | null): SafetyLanguage | null {
  const code = (locale ?? '').toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === code) ?? null;
}

function event(
  input: Pick<ProtocolInput, 'gate' | 'memory'>,
  answer: HelplineAnswer,
  more: Pick<SafetyEvent, 'route' | 'step' | 'disclosure'>,
): SafetyEvent {
  const all = answer.emergency ? [answer.emergency, ...answer.resources] : answer.resources;
  const flags = [...new Set([...(input.memory.flags ?? []), ...input.gate.flags])];
  return { level: input.memory.level, flags, resources: all.slice(0, MAX_RESOURCES), ...more };
}

/** Language of the last sentence of the protocol in this session, or null. */
function lastLanguage({ shown }: SafetyMemory): SafetyLanguage | null {
  const last = shown.findLast((id) => !id.startsWith('lines.'))?.slice(0, 2);
  return LANGUAGES.find((language) => language === last) ?? null;
}

/** Ids of English sentences that already stand in the talk: the stateless path has no memory. */
function saidBefore(history: readonly DialogueTurn[]): readonly string[] {
  const said = history.flatMap((turn) => (turn.role === 'assistant' ? [turn.text] : [])).join('\n');
  if (said === '') return [];
  const pools = Object.values(EN).flat();
  return pools.filter(({ text }) => said.includes(text.split('{')[0] || text)).map(({ id }) => id);
}

function stepOf(situation: Situation): string {
  if (situation.calm) return 'settling';
  if (situation.topic === 'own')
    return situation.level === 3 ? 'imminent' : situation.opening ? 'ask' : 'plan';
  return situation.topic;
}

function english(input: ProtocolInput, answer: HelplineAnswer): ProtocolReply {
  const { memory } = input;
  // In the order of use, so that what was said longest ago is found first.
  const before = saidBefore(input.history).filter((id) => !memory.shown.includes(id));
  const shown = [...before, ...memory.shown];
  const situation = situationOf(input.gate, { ...memory, shown }, hear(input.text));
  // A directory cannot be called: no sentence may speak as if a person were waiting there.
  const unfit = new Set(answer.fallback ? ['lines_again'] : []);
  const parts = compose(situation, EN, { shown, turns: memory.turns }, unfit);
  const fill = (text: string): string =>
    text
      .replaceAll('{emergency}', emergencyText(answer, EN_LABELS))
      .replaceAll('{line}', firstService(answer))
      .replaceAll('{feeling}', situation.feeling ?? '');
  const lists = parts.includes('lines');
  const intro = LINES_INTRO.find(({ id }) => !shown.includes(id));
  let text = '';
  for (const part of parts) {
    if (part !== 'lines')
      text += `${text === '' || text.endsWith('\n\n') ? '' : ' '}${fill(part.text)}`;
    else text += `\n\n${intro ? `${intro.text}\n` : ''}${resourceLines(answer, EN_LABELS)}\n\n`;
  }
  const ids = parts.flatMap((part) => (part === 'lines' ? [] : [part.id]));
  const marks = lists ? [`lines.${situation.level}`, ...(intro ? [intro.id] : [])] : [];
  const step = stepOf(situation);
  return {
    text: text.trim(),
    event: event(input, answer, { route: 'crisis', step, disclosure: DISCLOSURE }),
    memory: { ...memory, shown: [...memory.shown, ...ids, ...marks].slice(-MAX_SHOWN) },
  };
}

function nextOf(texts: readonly string[], used: number): string {
  return texts[used % texts.length] ?? '';
}

/** One plain sentence, the emergency number, verified lines: all that unreviewed text may say. */
function fixed(input: ProtocolInput, answer: HelplineAnswer, words: FixedText): ProtocolReply {
  const { memory } = input;
  const situation = situationOf(input.gate, memory, { feeling: null, saidNo: false });
  const third = situation.topic === 'third' || situation.topic === 'medical_third';
  const kind = third ? 'third' : situation.level === 3 ? 'urgent' : 'plain';
  const prefix = `${words.language}.${kind}.`;
  const used = memory.shown.filter((id) => id.startsWith(prefix)).length;
  const sentence = nextOf(words[kind], used);
  const text = sentence.replaceAll('{emergency}', emergencyText(answer, words.labels));
  const marks = [`${prefix}${used + 1}`, `lines.${situation.level}`];
  return {
    text: `${text}\n\n${resourceLines(answer, words.labels)}`,
    event: event(input, answer, {
      route: 'crisis',
      step: stepOf(situation),
      disclosure: words.disclosure,
    }),
    memory: { ...memory, shown: [...memory.shown, ...marks].slice(-MAX_SHOWN) },
  };
}

/**
 * The reply to a message that the protocol must answer.
 *
 * The explicit locale decides the language, else the language of the rules that fired. When the
 * person writes in another supported language than the locale, its plain sentence is added.
 *
 * @returns text, the `safety` event, and the memory with what was said
 */
export function respond(input: ProtocolInput): ProtocolReply {
  const answer = helplinesFor({ region: input.region, locale: input.locale });
  const written = input.gate.language ?? null;
  const language = languageOf(input.locale) ?? written ?? lastLanguage(input.memory) ?? 'en';
  const words = FIXED.get(language);
  const reply = words ? fixed(input, answer, words) : english(input, answer);
  const other = written === null || written === language ? undefined : FIXED.get(written);
  if (!other || input.gate.route !== 'crisis') return reply;
  const used = reply.memory.shown.filter((id) => id.startsWith(`${other.language}.plain.`)).length;
  const shown = [...reply.memory.shown, `${other.language}.plain.${used + 1}`];
  return {
    ...reply,
    text: `${nextOf(other.plain, used)}\n\n${reply.text}`,
    memory: { ...reply.memory, shown },
  };
}

/**
 * The `safety` event of a turn that the model answers while lines stay pinned, or null when there
 * is nothing to pin: after an acute phase, and when the gate set a flag (violence, eating
 * distress, past self-injury) without a crisis.
 */
export function pinnedEvent(
  input: Pick<ProtocolInput, 'gate' | 'memory' | 'region' | 'locale'>,
): SafetyEvent | null {
  const pinned = input.memory.state === 'monitored';
  if (!pinned && input.gate.flags.length === 0) return null;
  const answer = helplinesFor({ region: input.region, locale: input.locale });
  const language = languageOf(input.locale) ?? input.gate.language ?? 'en';
  return event(input, answer, {
    route: 'converse',
    step: pinned ? 'monitored' : 'flagged',
    disclosure: disclosureIn(language),
  });
}
