/**
 * Questions about cause words from RECCON's own files (Poria et al. 2021, arXiv 2012.11820) and from
 * EmpatheticDialogues-shaped conversations with `causes`. Pure.
 *
 * Only causes inside the very utterance whose emotion is asked for: the speaker of that utterance is
 * the user, everybody else the assistant, and the conversation goes up to it.
 */
import { z } from 'zod';
import { asRequest, type Message } from '../ask.ts';
import { type Dialogue, historyOf } from '../dialogues.ts';
import type { Span } from './recall.ts';

/** An utterance with causes inside itself. */
export interface CauseCase {
  readonly dialogue: string;
  /** Oldest first; the last one is the utterance, of role `user`. */
  readonly messages: readonly Message[];
  /** Offsets into the last message. */
  readonly gold: readonly Span[];
}

/** An utterance of a file, for counting words. */
export interface Said {
  readonly dialogue: string;
  readonly text: string;
}

export interface CauseData {
  readonly cases: readonly CauseCase[];
  /** Every utterance of the file. */
  readonly said: readonly Said[];
}

const recconFile = z.record(
  z.string(),
  z.array(
    z.array(
      z.object({
        /** From 1. */
        turn: z.int(),
        speaker: z.string(),
        utterance: z.string(),
        emotion: z.string(),
        /** Turns that hold a cause; `b` for one that is nowhere in the text ("background"). */
        'expanded emotion cause evidence': z.array(z.union([z.int(), z.string()])).default([]),
        /** The cause in the turn at the same place of the evidence. */
        'expanded emotion cause span': z.array(z.string()).default([]),
      }),
    ),
  ),
);

/**
 * @param json a parsed `dailydialog_<split>.json` or `iemocap_test.json`
 * @param limit first dialogues only
 * @throws when it is not RECCON's format
 */
export function fromReccon(json: unknown, limit?: number): CauseData {
  const parsed = recconFile.safeParse(json);
  if (!parsed.success) throw new Error("the file is not in RECCON's format");
  const dialogues = Object.entries(parsed.data)
    .slice(0, limit)
    .flatMap(([dialogue, conversations]) => conversations.map((turns) => ({ dialogue, turns })));
  return {
    cases: dialogues.flatMap(({ dialogue, turns }) =>
      turns.flatMap((turn, index) => {
        const spans = turn['expanded emotion cause span'];
        const gold = turn['expanded emotion cause evidence'].flatMap((evidence, at) =>
          evidence === turn.turn ? spanIn(turn.utterance, spans[at]) : [],
        );
        if (turn.emotion === 'neutral' || gold.length === 0) return [];
        const messages = turns.slice(0, index + 1).map(
          ({ speaker, utterance }): Message => ({
            role: speaker === turn.speaker ? 'user' : 'assistant',
            content: utterance,
          }),
        );
        return [{ dialogue, messages: asRequest(messages), gold }];
      }),
    ),
    said: dialogues.flatMap(({ dialogue, turns }) =>
      turns.map(({ utterance }) => ({ dialogue, text: utterance })),
    ),
  };
}

/** Where a span stands; nowhere when it is blank or was not copied word for word. */
function spanIn(text: string, span: string | undefined): Span[] {
  if (span === undefined || span.trim() === '') return [];
  const start = text.indexOf(span);
  return start < 0 ? [] : [{ start, end: start + span.length }];
}

/** Speaker turns with causes; a cause in a listener's turn is none of the speaker's utterance. */
export function fromDialogues(dialogues: readonly Dialogue[]): CauseData {
  return {
    cases: dialogues.flatMap((dialogue) =>
      dialogue.turns.flatMap(({ role, text }, index) => {
        const gold = (dialogue.causes ?? []).filter(({ turn }) => turn === index);
        if (role !== 'speaker' || gold.length === 0 || text.trim() === '') return [];
        const messages = asRequest(historyOf(dialogue, index + 1));
        return [{ dialogue: dialogue.conv_id, messages, gold }];
      }),
    ),
    said: dialogues.flatMap(({ conv_id, turns }) =>
      turns.map(({ text }) => ({ dialogue: conv_id, text })),
    ),
  };
}
