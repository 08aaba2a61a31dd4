/** A remote engine over a scripted upstream, with the tiny vocabulary. */
import { CompletionsClient } from '../../src/engine/remote/client.ts';
import { RemoteEngine } from '../../src/engine/remote/remote-engine.ts';
import { RemoteModel } from '../../src/engine/remote/remote-model.ts';
import type { TokenIds } from '../../src/engine/remote/requests.ts';
import type { GenerationEvent, GenerationRequest, Turn } from '../../src/engine/types.ts';
import type { Upstream } from './upstream.ts';
import { tokenizer } from './vocabulary.ts';

/** A request with a value for every parameter. */
export const request: GenerationRequest = {
  sampling: {
    temperature: 0.7,
    topP: 0.9,
    minP: 0.05,
    frequencyPenalty: 0.1,
    presencePenalty: 0.2,
    repeatPenalty: 1.05,
    seed: 7,
  },
  maxTokens: 12,
  stop: [],
  intent: null,
  intentBias: {},
  deterministic: false,
};

export const id = (character: string) => character.codePointAt(0) ?? 0;
export const ids = (text: string) => [...text].map(id);
export const slot = (token: number | undefined) => token ?? Number.NaN;
export const said = (text: string): Turn => ({ role: 'user', text, intent: 'any' });

/** The engine; its server takes the one model, `m`. */
export function engineOver(upstream: Upstream, tokenIds: TokenIds = 'token_ids'): RemoteEngine {
  const client = new CompletionsClient({ url: upstream.url, token: null, timeoutMs: 30_000 });
  return new RemoteEngine({
    model: new RemoteModel(client, 'm'),
    tokenizer,
    facts: { tokenIds, scoring: true },
    contextSize: 1_024,
    sequences: 1,
  });
}

/** A prompt without a persona. */
export function promptOf(engine: RemoteEngine, turns: readonly Turn[]) {
  const prompt = engine.prepare({ persona: '', turns, emotion: null }, 64);
  if (!prompt.ok) throw new Error(prompt.failure.kind);
  return prompt.value;
}

/** A whole reply and what led to it. */
export async function replyFrom(
  engine: RemoteEngine,
  turns: readonly Turn[] = [said('Hi')],
  more: Partial<GenerationRequest> = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const prompt = promptOf(engine, turns);
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(prompt, { ...request, ...more }, signal)) {
    events.push(event);
  }
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('no end');
  const text = events.map((event) => (event.type === 'heads' ? '' : event.text)).join('');
  return { text, end, tokens: prompt.tokens, events };
}
