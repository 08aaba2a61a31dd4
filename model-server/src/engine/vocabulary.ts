/** What the weights say about themselves: tokens, slots, name, persona. */
import type { LlamaModel, Token } from 'node-llama-cpp';
import { z } from 'zod';
import { failed, type Result, success } from '../result.ts';
import { findSlots, type Slots } from './slots.ts';

/** Raised by the exporter when an older reader would misread the file. */
const FORMAT_VERSION = 1;
/** GGUF token types whose tokens are text (1 normal, 6 byte); all others are kept out of replies. */
const TEXT_TYPES: ReadonlySet<number> = new Set([1, 6]);

const attuneSchema = z.object({
  format_version: z.coerce.number(),
  emotion_input: z.boolean().default(false),
  persona: z.string().default(''),
});

/** The vocabulary and the facts that the server needs. `T` is the engine's token type. */
export interface Vocabulary<T extends number = Token> {
  readonly name: string;
  readonly persona: string;
  readonly emotionInput: boolean;
  readonly slots: Slots<T>;
  /** The text of a token in the vocabulary's own alphabet. */
  readonly textOf: (token: number) => string;
  /** Tokens that may not occur in a reply: control tokens and slots. */
  readonly masked: readonly T[];
  /** Tokens that end a reply. */
  readonly ending: ReadonlySet<T>;
}

/** Why the weights cannot be served. */
export interface VocabularyFailure {
  readonly message: string;
}

/** Read the vocabulary of a loaded model. */
export function readVocabulary(model: LlamaModel): Result<Vocabulary, VocabularyFailure> {
  const { general, tokenizer } = model.fileInfo.metadata;
  const { tokens: texts, token_type: types } = tokenizer.ggml;
  const tokens = [...model.iterateAllTokens()];
  const byText = new Map(texts.map((text, index) => [text, tokens[index]]));
  const slots = findSlots((text) => byText.get(text));
  if (!slots.ok) {
    const shown = slots.failure.missing.slice(0, 3).join(', ');
    return failed({
      message: `These weights have no slot vocabulary: ${slots.failure.missing.length} tokens are missing (${shown} …). Serve weights exported by "python -m lm.export" in model-server/training, and point MODEL_PATH at them.`,
    });
  }
  const attune = attuneSchema.safeParse(
    Object.entries(model.fileInfo.metadata).find(([key]) => key === 'attune')?.[1],
  );
  if (!attune.success || attune.data.format_version !== FORMAT_VERSION) {
    return failed({
      message: `These weights do not say attune.format_version = ${FORMAT_VERSION}. Export them again with this version's "python -m lm.export".`,
    });
  }
  const ending = new Set(tokens.filter((token) => model.isEogToken(token)));
  return success({
    name: general.name ?? 'attune',
    persona: attune.data.persona,
    emotionInput: attune.data.emotion_input,
    slots: slots.value,
    textOf: (token) => texts[token] ?? '',
    masked: tokens.filter((token) => !TEXT_TYPES.has(types[token] ?? 0) && !ending.has(token)),
    ending,
  });
}
