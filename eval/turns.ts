/** From dialogues to the turns that the language model is asked about. Pure. */
import { asRequest, type Message } from './ask.ts';
import { type Dialogue, historyOf } from './dialogues.ts';

/** A listener turn in its history. */
export interface ListenerTurn {
  readonly conv_id: string;
  /** Index of the turn in its conversation. */
  readonly turn: number;
  /** What was said before, blank messages left out; never empty. */
  readonly messages: readonly Message[];
  /** What the person who listened said. */
  readonly reply: string;
  /** Gold response intent, where the conversation itself has it. */
  readonly intent: string | undefined;
}

/** Every listener turn that says something and has something said before it, in file order. */
export function listenerTurns(dialogues: readonly Dialogue[]): ListenerTurn[] {
  return dialogues.flatMap((dialogue) =>
    dialogue.turns.flatMap(({ role, text, intent }, turn) => {
      const messages = asRequest(historyOf(dialogue, turn));
      return role === 'listener' && text.trim() !== '' && messages.length > 0
        ? [{ conv_id: dialogue.conv_id, turn, messages, reply: text, intent }]
        : [];
    }),
  );
}
