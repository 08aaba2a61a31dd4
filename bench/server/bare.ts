/** Replies of the engine without HTTP, with the request's defaults. */
import {
  DEFAULT_MAX_TOKENS,
  DEFAULT_MIN_P,
  DEFAULT_REPEAT_PENALTY,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOP_P,
} from '../../model-server/src/constants.ts';
import type { Engine } from '../../model-server/src/engine/types.ts';
import { PROMPTS } from '../prompts.ts';
import { type Speaker, stopwatch } from './arm.ts';

/** @returns a speaker that asks an engine in this process */
export function bareSpeaker(engine: Engine): Speaker {
  const { signal } = new AbortController();
  return async function generate(prompt, seed) {
    const watch = stopwatch();
    const text = PROMPTS[prompt] ?? PROMPTS[0];
    const conversation = {
      persona: engine.info.persona,
      turns: [{ role: 'user', text, intent: 'any' }],
      emotion: null,
    } as const;
    const prepared = engine.prepare(conversation, DEFAULT_MAX_TOKENS);
    if (!prepared.ok) throw new Error(prepared.failure.kind);
    const request = {
      sampling: {
        temperature: DEFAULT_TEMPERATURE,
        topP: DEFAULT_TOP_P,
        minP: DEFAULT_MIN_P,
        frequencyPenalty: 0,
        presencePenalty: 0,
        repeatPenalty: DEFAULT_REPEAT_PENALTY,
        seed,
      },
      maxTokens: DEFAULT_MAX_TOKENS,
      stop: [],
      intent: null,
      intentBias: {},
      deterministic: false,
    };
    let tokens = 0;
    for await (const event of engine.generate(prepared.value, request, signal)) {
      if (event.type === 'token' && event.text !== '') watch.text();
      if (event.type === 'end') tokens = event.completionTokens;
    }
    return watch.end(tokens);
  };
}
