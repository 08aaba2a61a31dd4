/**
 * From a conversation to token ids in the slot format (training/lm/format.py is the authority):
 *
 *     <|im_start|>system\n{persona}<|im_end|>\n
 *     <|im_start|>user\n{text}<|im_end|>\n
 *     <|im_start|>assistant\n<|affect|>[<|emo:x|>]<|intent|><|int:y|>{reply}<|im_end|><|judge|>\n
 *
 * Texts are tokenised with special tokens off and framed by ids, so a control string in a text
 * stays a string of letters (case T08).
 */
import { CHARACTERS_PER_TOKEN } from '../constants.ts';
import { failed, type Result, success } from '../result.ts';
import type { Slots } from './slots.ts';
import type { Conversation, Prompt, PromptFailure, Turn } from './types.ts';

/** The tokenizer of one model and its slot tokens. */
export interface PromptFormat<T extends number> {
  readonly slots: Slots<T>;
  /** Text to tokens, special tokens off. */
  readonly encode: (text: string) => readonly T[];
}

/** NFC, outer white space stripped: what training did to every text. */
export function normaliseText(text: string): string {
  return text.normalize('NFC').trim();
}

/**
 * Lay a conversation out, up to and including `<|intent|>`. The persona is kept; the oldest turns
 * go first; the newest turn, when it alone is too long, keeps its newest tokens.
 * @param budget tokens that the prompt may have
 */
export function buildPrompt<T extends number>(
  conversation: Conversation,
  format: PromptFormat<T>,
  budget: number,
): Result<Prompt<T>, PromptFailure> {
  const { slots, encode } = format;
  // Half of the room belongs to the conversation, or a long persona would silence it.
  const personaLimit = Math.floor(budget / 2);
  if (conversation.persona.length > personaLimit * CHARACTERS_PER_TOKEN) {
    return failed({ kind: 'persona_too_long', tokens: null, limit: personaLimit });
  }
  const newline = encode('\n');
  const open = (role: string) => [slots.imStart, ...encode(`${role}\n`)];
  const close = [slots.imEnd, ...newline];
  const persona =
    conversation.persona === ''
      ? []
      : [...open('system'), ...encode(conversation.persona), ...close];
  if (persona.length > personaLimit) {
    return failed({ kind: 'persona_too_long', tokens: persona.length, limit: personaLimit });
  }
  const emotion =
    conversation.emotion === null ? [] : optional(slots.emotions.get(conversation.emotion));
  const heads = [slots.affect, ...emotion, slots.intent];
  const opening = [...open('assistant'), ...heads];
  const frames = {
    user: () => ({ before: open('user'), after: close }),
    assistant: (turn: Turn) => ({
      before: [
        ...open('assistant'),
        slots.affect,
        slots.intent,
        ...optional(slots.steering.get(turn.intent)),
      ],
      after: [slots.imEnd, slots.judge, ...newline],
    }),
  };

  let room = budget - persona.length - opening.length;
  let whole = 0;
  const turns: T[][] = [];
  const replies: (readonly T[])[] = [];
  for (const turn of conversation.turns.toReversed()) {
    const { before, after } = frames[turn.role](turn);
    const text = encode(newestCharacters(turn.text, room * CHARACTERS_PER_TOKEN));
    const forText = room - before.length - after.length;
    const fits = text.length <= forText && turn.text.length <= room * CHARACTERS_PER_TOKEN;
    if (!fits && (turns.length > 0 || forText < 1)) break;
    const shown = fits ? text : text.slice(-forText);
    turns.push([...before, ...shown, ...after]);
    if (turn.role === 'assistant') replies.push(shown);
    room = forText - shown.length;
    if (!fits) break;
    whole++;
  }
  const tokens = [...persona, ...turns.reverse().flat(), ...opening];
  return success({
    tokens,
    affectIndex: tokens.length - heads.length,
    replies,
    trimmedTurns: conversation.turns.length - whole,
  });
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** The end of a text, cut between characters: tokenising what cannot fit would only cost time. */
function newestCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(text.length - Math.max(length, 0));
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut;
}
