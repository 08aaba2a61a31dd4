/** One dialogue through the tokenizer and the graph to a reading. */
import { fail, ok, type Result } from '../result.ts';
import { calibratedSoftmax } from './calibrate.ts';
import { EMOTIONS } from './emotions.ts';
import { languageOfPerson, type Written } from './language.ts';
import { layout, type PlacedTurn, untilPerson } from './layout.ts';
import type { LoadedModel } from './load.ts';
import { nothingRead, toReading } from './reading.ts';
import { type GraphOutputs, runGraph } from './runtime.ts';
import { scoreValues } from './scores.ts';
import type { Token } from './tokenizer.ts';
import type { DialogueTurn, Reading } from './types.ts';
import { type TypedWord, typedWords } from './words.ts';

/**
 * @param turns oldest first; those after the person's latest turn are ignored.
 * @returns a failure when the graph gave something else than finite numbers.
 * @throws whatever the runtime throws.
 */
export async function read(
  { description, tokenizer, session }: LoadedModel,
  turns: readonly DialogueTurn[],
): Promise<Result<Reading, string>> {
  const sequence = layout(turns, {
    ids: description.ids,
    maxTokens: description.maxTokens,
    tokens: tokenizer.tokenise,
    idOf: ({ id }) => id,
  });
  if (sequence.turns.length === 0) return ok(nothingRead());
  const outputs = await runGraph(session, sequence.ids);
  const probabilities = calibratedSoftmax(outputs.emotionLogits, description.temperature);
  if (
    probabilities === null ||
    !areUsable(outputs, sequence.ids.length, description.scores.length)
  ) {
    return fail('the emotion model gave no finite numbers for every output');
  }
  const latest = untilPerson(turns).length - 1;
  const read = sequence.turns.map((turn) => ({
    message: turn.message,
    words: typedWords(turns[turn.message]?.text ?? '', turn, tokenizer.isWord),
  }));
  return ok(
    toReading({
      probabilities,
      scores: scoreValues(description.scores, outputs.scores),
      causeLogits: outputs.causeLogits,
      turns: read,
      latest,
      hasWords: tokensOf(sequence.turns, latest).some(({ id }) => tokenizer.isWord(id)),
      language: await languageOfPerson(writtenByPerson(turns, read)),
    }),
  );
}

/** Whether each output has its length and nothing but finite numbers. */
function areUsable(
  { emotionLogits, causeLogits, scores }: GraphOutputs,
  tokens: number,
  columns: number,
): boolean {
  return (
    emotionLogits.length === EMOTIONS.length &&
    causeLogits.length === tokens &&
    scores.length === columns &&
    [causeLogits, scores].every((values) => values.every(Number.isFinite))
  );
}

/** None for a message that has no place in the sequence. */
function tokensOf(turns: readonly PlacedTurn<Token>[], message: number): readonly Token[] {
  return turns.find((turn) => turn.message === message)?.tokens ?? [];
}

/** What the person wrote, newest first, as far as it was read. */
function writtenByPerson(
  turns: readonly DialogueTurn[],
  read: readonly { readonly message: number; readonly words: readonly TypedWord[] }[],
): Written[] {
  return read.toReversed().flatMap(({ message, words }) => {
    const turn = turns[message];
    return turn?.role === 'user' ? [{ text: turn.text, words }] : [];
  });
}
