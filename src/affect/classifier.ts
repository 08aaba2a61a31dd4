/** The classifier as a value: loads on first use, shares the load, tries again after a failure. */
import { fail, type Result } from '../result.ts';
import { RETRY_AFTER_MS } from './constants.ts';
import { type LoadedModel, loadModel, type ModelFiles, messageOf } from './load.ts';
import { read } from './read.ts';
import { shareLoad } from './share-load.ts';
import type { AffectResult, DialogueTurn } from './types.ts';

export interface Classifier {
  /**
   * What is felt in the person's latest turn, read in its dialogue.
   *
   * @param turns oldest first; a text that stands alone is one `user` turn.
   * @returns never throws and never rejects: trouble is `ok: false`.
   */
  readonly classify: (turns: readonly DialogueTurn[]) => Promise<AffectResult>;
  /** One result per dialogue, in order; each is what `classify` would say of it alone. */
  readonly classifyBatch: (
    dialogues: readonly (readonly DialogueTurn[])[],
  ) => Promise<AffectResult[]>;
  /** Whether it can answer, tried by a real inference. */
  readonly ready: () => Promise<
    { readonly ok: true } | { readonly ok: false; readonly message: string }
  >;
}

/**
 * @param input.files asked for at every attempt to load.
 * @param input.now milliseconds; only differences count.
 */
export function createClassifier(input: {
  readonly files: () => ModelFiles;
  readonly now: () => number;
}): Classifier {
  const model = shareLoad({
    load: () => load(input.files),
    now: input.now,
    retryAfterMs: RETRY_AFTER_MS,
  });

  async function classify(turns: readonly DialogueTurn[]): Promise<AffectResult> {
    const loaded = await model();
    return loaded.ok ? classifyWith(loaded.value, turns) : unavailable(loaded.failure);
  }

  async function classifyBatch(
    dialogues: readonly (readonly DialogueTurn[])[],
  ): Promise<AffectResult[]> {
    const results: AffectResult[] = [];
    for (const turns of dialogues) {
      results.push(await classify(turns));
      await othersFirst();
    }
    return results;
  }

  async function ready(): ReturnType<Classifier['ready']> {
    const result = await classify([{ role: 'user', text: 'hello' }]);
    return result.ok ? { ok: true } : { ok: false, message: result.message };
  }

  return { classify, classifyBatch, ready };
}

async function load(files: () => ModelFiles): Promise<Result<LoadedModel, string>> {
  try {
    return await loadModel(files());
  } catch (error) {
    return fail(messageOf(error));
  }
}

async function classifyWith(
  model: LoadedModel,
  turns: readonly DialogueTurn[],
): Promise<AffectResult> {
  try {
    const affect = await read(model, turns);
    return affect.ok ? { ok: true, affect: affect.value } : unavailable(affect.failure);
  } catch (error) {
    // Only the error's kind: this one was thrown with a person's text at hand.
    return unavailable(`the emotion model failed to run: ${kindOf(error)}`);
  }
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** An inference holds the isolate's only thread; between two of a batch others get their turn. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function unavailable(message: string): AffectResult {
  return { ok: false, code: 'model_unavailable', message };
}
