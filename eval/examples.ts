/** From dialogues to the questions that `eval -- affect` asks. Pure. */
import { EMOTIONS } from '../src/affect/emotions.ts';
import { asRequest, type Message } from './ask.ts';
import { type Dialogue, historyOf } from './dialogues.ts';

export interface AffectExample {
  readonly conv_id: string;
  readonly messages: readonly Message[];
  /** Index into `EMOTIONS`. */
  readonly label: number;
}

/**
 * History: one example per listener turn that has something said before it, from the turns before
 * it. What is judged is the speaker's latest turn, never the listener's own (case E05).
 * @throws on a label outside `EMOTIONS`
 */
export function examplesOf(dialogues: readonly Dialogue[]): AffectExample[] {
  return dialogues.flatMap((dialogue) => {
    const label = labelOf(dialogue);
    return dialogue.turns.flatMap(({ role }, index) => {
      const messages = asRequest(historyOf(dialogue, index));
      return role === 'listener' && messages.length > 0
        ? [{ conv_id: dialogue.conv_id, messages, label }]
        : [];
    });
  });
}

/**
 * Situation only: one example per conversation, the situation it was started from as one message.
 * Another protocol than history, with higher figures: the situation was written to tell the emotion.
 */
export function situationsOf(dialogues: readonly Dialogue[]): AffectExample[] {
  return dialogues.flatMap((dialogue) => {
    const messages = asRequest([{ role: 'user', content: dialogue.situation ?? '' }]);
    return messages.length > 0
      ? [{ conv_id: dialogue.conv_id, messages, label: labelOf(dialogue) }]
      : [];
  });
}

/** What the person said in an example, as one text. */
export function saidIn({ messages }: AffectExample): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n');
}

/** What the bag of words learns: of each conversation all the speaker's turns, and its situation. */
export function trainingTexts(dialogues: readonly Dialogue[]): { text: string; label: number }[] {
  return dialogues.flatMap((dialogue) => {
    const label = labelOf(dialogue);
    const spoken = dialogue.turns.filter(({ role }) => role === 'speaker').map(({ text }) => text);
    const texts = [spoken.join('\n'), dialogue.situation ?? ''];
    return texts.filter((text) => text.trim() !== '').map((text) => ({ text, label }));
  });
}

function labelOf({ conv_id, emotion }: Dialogue): number {
  const known: readonly string[] = EMOTIONS;
  const index = known.indexOf(emotion ?? '');
  if (index < 0) throw new Error(`${conv_id}: the label is not one of the 32 emotions`);
  return index;
}
