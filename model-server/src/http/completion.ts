/** The objects of OpenAI's chat completion API, with the `attune` fields. */
import type { GenerationEvent } from '../engine/types.ts';
import type { HeadReading } from '../heads/types.ts';
import type { ReplyEvent, Selection } from '../select/best-of.ts';

type HeadsEvent = Extract<GenerationEvent, { type: 'heads' }>;
type EndEvent = Extract<ReplyEvent, { type: 'end' }>;

/** What all chunks of one answer share. */
export interface CompletionId {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

/** Token counts, and how many turns did not fit into the context. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly attune_trimmed_turns: number;
}

/** Both heads on the wire. */
export function headFields(heads: HeadReading) {
  return {
    emotions: heads.emotions,
    intents: heads.intents,
    emotion_mass: heads.emotionMass,
    intent_mass: heads.intentMass,
  };
}

/** What is known at the end, and how the answer was chosen where there was a choice. */
function endFields(end: EndEvent) {
  return { response_score: end.responseScore, ...selectionFields(end.selection) };
}

function selectionFields(selection: Selection | undefined) {
  if (selection === undefined) return {};
  const { bestOf, chosen, candidates } = selection;
  return { best_of: bestOf, chosen, source: candidates[chosen]?.source, candidates };
}

/** Usage of one answer; the tokens of all its candidates were sampled for it. */
export function usageOf(heads: HeadsEvent, end: EndEvent, trimmedTurns: number): Usage {
  return {
    prompt_tokens: heads.promptTokens,
    completion_tokens: end.completionTokens,
    total_tokens: heads.promptTokens + end.completionTokens,
    attune_trimmed_turns: trimmedTurns,
  };
}

/** Makes the chunks of one streamed answer. */
export function chunkMaker(id: CompletionId, includeUsage: boolean) {
  const chunk = (choices: readonly unknown[], more: object = {}) => ({
    id: id.id,
    object: 'chat.completion.chunk',
    created: id.created,
    model: id.model,
    choices,
    // With include_usage every chunk has the key, and only the last one a value (case O05).
    ...(includeUsage ? { usage: null } : {}),
    ...more,
  });
  const choice = (delta: object, finishReason: 'stop' | 'length' | null) => [
    { index: 0, delta, logprobs: null, finish_reason: finishReason },
  ];
  return {
    /** The role, and what the heads read. */
    first: (event: HeadsEvent) =>
      chunk(choice({ role: 'assistant', content: '' }, null), {
        attune: { ...headFields(event.heads), intent: event.intent },
      }),
    text: (content: string) => chunk(choice({ content }, null)),
    last: (event: EndEvent) => chunk(choice({}, event.finishReason), { attune: endFields(event) }),
    usage: (usage: Usage) => chunk([], { usage }),
  };
}

/** An answer that was not streamed. */
export function completion(
  id: CompletionId,
  parts: {
    readonly heads: HeadsEvent;
    readonly text: string;
    readonly end: EndEvent;
    readonly usage: Usage;
  },
) {
  const { heads, text, end, usage } = parts;
  return {
    id: id.id,
    object: 'chat.completion',
    created: id.created,
    model: id.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: end.finishReason,
      },
    ],
    usage,
    attune: { ...headFields(heads.heads), intent: heads.intent, ...endFields(end) },
  };
}
