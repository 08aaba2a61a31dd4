/**
 * Both engines over the same loaded weights: in this process, and a second instance of this server
 * behind `/v1/completions`. Nothing depends on how well they answer, but heads must hold most of the
 * distribution, as in any weights that can be served.
 */
import { normaliseText } from '../../src/engine/prompt.ts';
import { loadRemoteEngine } from '../../src/engine/remote/load.ts';
import type {
  Engine,
  GenerationEvent,
  GenerationRequest,
  Prompt,
  Turn,
} from '../../src/engine/types.ts';
import { startTestServer, TOKEN } from './client.ts';
import { CONTEXT_SIZE, MODEL_PATH } from './model.ts';
import { RawWatch } from './raw-engine.ts';
import { type Relay, startRelay } from './relay.ts';

export const ENGINES = ['llama-cpp', 'openai-completions'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Both engines, and what stands between them. */
export interface Both {
  readonly engines: Readonly<Record<EngineName, Engine>>;
  /** On the raw completions of the server behind the remote engine. */
  readonly watch: RawWatch;
  /** On the wire between them. */
  readonly relay: Relay;
  close(): Promise<void>;
}

/** Load the weights once and connect to them. */
export async function startBoth(): Promise<Both> {
  const watch = new RawWatch();
  let local: Engine | null = null;
  const server = await startTestServer({
    wrapEngine: (engine) => {
      local = engine;
      return watch.before(engine);
    },
  });
  if (local === null) throw new Error('not started');
  const relay = await startRelay(server.url);
  const remote = await loadRemoteEngine({
    vocabularyPath: MODEL_PATH,
    url: relay.url,
    token: TOKEN,
    model: null,
    scoring: 'auto',
    contextSize: CONTEXT_SIZE,
    sequences: 2,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    warn: () => {},
    onWaiting: (message) => {
      throw new Error(message);
    },
    pause: () => Promise.resolve(),
  });
  return {
    engines: { 'llama-cpp': local, 'openai-completions': remote },
    watch,
    relay,
    close: async () => {
      await remote.close();
      await relay.close();
      await server.close();
    },
  };
}

export const said = (text: string): Turn => ({
  role: 'user',
  text: normaliseText(text),
  intent: 'any',
});
export const answered = (text: string): Turn => ({ role: 'assistant', text, intent: 'any' });

/** The likeliest token, always. */
export const greedy = {
  temperature: 0,
  topP: 1,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repeatPenalty: 1,
  seed: 7,
};

/** A short reply, sampled from the whole distribution. */
export const request = (more: Partial<GenerationRequest> = {}): GenerationRequest => ({
  sampling: { ...greedy, temperature: 1 },
  maxTokens: 10,
  stop: [],
  intent: null,
  intentBias: {},
  deterministic: false,
  ...more,
});

/** A prompt with the model's own persona. */
export function promptOf(
  engine: Engine,
  turns: readonly Turn[],
  persona: string = engine.info.persona,
): Prompt {
  const prepared = engine.prepare({ persona, turns, emotion: null }, 64);
  if (!prepared.ok) throw new Error(prepared.failure.kind);
  return prepared.value;
}

/** A whole reply. */
export async function replyOf(
  engine: Engine,
  turns: readonly Turn[],
  more: Partial<GenerationRequest> = {},
) {
  const events: GenerationEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of engine.generate(promptOf(engine, turns), request(more), signal)) {
    events.push(event);
  }
  const [heads] = events;
  const end = events.at(-1);
  if (heads?.type !== 'heads' || end?.type !== 'end') throw new Error('events out of order');
  const text = events.map((event) => (event.type === 'heads' ? '' : event.text)).join('');
  return { heads, end, text };
}
