import { describe, expect, it } from 'vitest';
import type { EngineInfo } from '../../src/engine/types.ts';
import { parseChatRequest } from '../../src/http/chat-request.ts';

const info: EngineInfo = {
  model: 'attune-135m',
  persona: 'You listen.',
  contextSize: 1_024,
  sequences: 4,
  emotionInput: false,
  scoring: true,
};
const messages = [{ role: 'user', content: 'Hi' }];
const parse = (body: object, facts: EngineInfo = info) =>
  parseChatRequest({ messages, ...body }, facts, () => 42);
const value = (body: object, facts?: EngineInfo) => {
  const result = parse(body, facts);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const failure = (body: object) => {
  const result = parse(body);
  return result.ok ? null : result.failure;
};

describe('a chat request', () => {
  it('has defaults for everything but its messages', () => {
    expect(value({})).toEqual({
      conversation: {
        persona: 'You listen.',
        turns: [{ role: 'user', text: 'Hi', intent: 'any' }],
        emotion: null,
      },
      choice: null,
      stream: false,
      includeUsage: false,
      generation: {
        sampling: {
          temperature: 0.7,
          topP: 0.9,
          minP: 0.05,
          frequencyPenalty: 0,
          presencePenalty: 0,
          repeatPenalty: 1.05,
          seed: 42,
        },
        maxTokens: 256,
        stop: [],
        intent: null,
        intentBias: {},
        deterministic: false,
      },
    });
  });

  it('treats null as absent and ignores fields it does not know', () => {
    const plain = value({});
    const nulls = {
      model: null,
      stream: null,
      temperature: null,
      stop: null,
      seed: null,
      tools: null,
      n: null,
      attune: null,
    };
    expect(
      value({ ...nulls, store: true, user: 'u', metadata: {}, parallel_tool_calls: true }),
    ).toEqual(plain);
  });

  it('takes the parameters of OpenAI, vLLM and llama.cpp', () => {
    const { generation, stream, includeUsage } = value({
      model: 'attune-135m',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      top_p: 0.5,
      min_p: 0.1,
      frequency_penalty: 0.2,
      presence_penalty: -0.3,
      repetition_penalty: 1.2,
      max_tokens: 9,
      seed: -1,
      stop: 'x',
      n: 1,
      tools: [],
      tool_choice: 'none',
      logprobs: false,
      response_format: { type: 'text' },
    });
    expect([stream, includeUsage]).toEqual([true, true]);
    expect(generation).toMatchObject({ maxTokens: 9, stop: ['x'] });
    expect(generation.sampling).toEqual({
      temperature: 0,
      topP: 0.5,
      minP: 0.1,
      frequencyPenalty: 0.2,
      presencePenalty: -0.3,
      repeatPenalty: 1.2,
      seed: 2 ** 32 - 2,
    });
  });

  it('never hands on the seed that means "random" to llama.cpp', () => {
    expect(value({ seed: 2 ** 32 - 1 }).generation.sampling.seed).toBe(0);
    expect(value({ seed: Number.MAX_SAFE_INTEGER }).generation.sampling.seed).toBeLessThan(
      2 ** 32 - 1,
    );
    expect(value({ attune: { deterministic: true } }).generation.sampling.seed).toBe(0);
  });

  it('prefers max_completion_tokens, and leaves half of the context to the prompt', () => {
    expect(value({ max_tokens: 5, max_completion_tokens: 7 }).generation.maxTokens).toBe(7);
    expect(value({ max_tokens: 100_000 }).generation.maxTokens).toBe(512);
  });

  it('reads the attune fields', () => {
    const { conversation, generation } = value({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', attune: { intent: 'consoling' } },
        {
          role: 'user',
          content: [
            { type: 'text', text: ' c ' },
            { type: 'text', text: 'd' },
          ],
        },
      ],
      attune: {
        intent: 'wishing',
        intent_bias: { neutral: -1 },
        deterministic: true,
        persona: 'P',
      },
    });
    expect(conversation.turns).toEqual([
      { role: 'user', text: 'a', intent: 'any' },
      { role: 'assistant', text: 'b', intent: 'consoling' },
      { role: 'user', text: 'c \nd', intent: 'any' },
    ]);
    expect(conversation.persona).toBe('P');
    expect(generation).toMatchObject({
      intent: 'wishing',
      intentBias: { neutral: -1 },
      deterministic: true,
    });
  });

  it('makes one reply unless a choice is asked for, and two where there is a focus', () => {
    const choice = (attune: object, more: object = {}) => value({ attune, ...more }).choice;
    expect(choice({ best_of: 1 })).toBeNull();
    expect(choice({ focus: [], retrieval: false })).toBeNull();
    expect(choice({ best_of: 4 })).toEqual({ bestOf: 4, focus: [], retrieved: 0 });
    expect(choice({ focus: [' dog '] })).toEqual({ bestOf: 2, focus: ['dog'], retrieved: 0 });
    expect(choice({ focus: ['dog'], best_of: 3 })?.bestOf).toBe(3);
    expect(choice({ retrieval: true })).toEqual({ bestOf: 1, focus: [], retrieved: 3 });
    expect(choice({ retrieval: 5, best_of: 1, focus: ['a'] })).toMatchObject({ retrieved: 5 });
  });

  it('makes one greedy reply, because all would be the same', () => {
    expect(value({ temperature: 0, attune: { best_of: 8 } }).choice?.bestOf).toBe(1);
  });

  it('refuses a focus that could change nothing', () => {
    for (const body of [
      { attune: { focus: ['dog'], best_of: 1 } },
      { attune: { focus: ['dog'] }, temperature: 0 },
    ]) {
      expect(failure(body)).toMatchObject({ kind: 'invalid_value', param: 'attune.focus' });
    }
  });

  it('makes one system turn of the persona and all system messages', () => {
    const system = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a' },
      { role: 'developer', content: 'D' },
    ];
    expect(value({ messages: system }).conversation.persona).toBe('S\nD');
    expect(value({ messages: system, attune: { persona: 'P' } }).conversation.persona).toBe(
      'P\nS\nD',
    );
    expect(value({ attune: { persona: '' } }).conversation.persona).toBe('');
  });

  it('takes an emotion only where the weights know it as an input', () => {
    expect(failure({ attune: { emotion: 'sad' } })).toMatchObject({
      kind: 'unsupported_parameter',
      param: 'attune.emotion',
    });
    const taught = { ...info, emotionInput: true };
    expect(value({ attune: { emotion: 'sad' } }, taught).conversation.emotion).toBe('sad');
  });

  it.each([
    ['n', { n: 2 }],
    ['best_of', { best_of: 4 }],
    ['tools', { tools: [{ type: 'function' }] }],
    ['functions', { functions: [{}] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 5 }],
    ['logit_bias', { logit_bias: { 50: -100 } }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'x' } }],
  ])('O11 refuses %s, which would change the answer', (param, body) => {
    expect(failure(body)).toMatchObject({ kind: 'unsupported_parameter', param });
  });

  it.each([
    ['messages', { messages: [] }],
    ['messages', { messages: 'Hi' }],
    ['messages', { messages: [{ role: 'system', content: 'only' }] }],
    ['messages', { messages: [...messages, { role: 'assistant', content: 'last' }] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: ' \n' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
    [
      'messages.0.attune.intent',
      { messages: [{ role: 'user', content: 'x', attune: { intent: 'no' } }] },
    ],
    ['stream', { stream: 'yes' }],
    ['temperature', { temperature: 2.5 }],
    ['temperature', { temperature: '1' }],
    ['top_p', { top_p: 0 }],
    ['min_p', { min_p: 1.5 }],
    ['frequency_penalty', { frequency_penalty: 3 }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['seed', { seed: 0.5 }],
    ['stop', { stop: '' }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['attune.intent', { attune: { intent: 'dancing' } }],
    ['attune.intent_bias.neutral', { attune: { intent_bias: { neutral: 'much' } } }],
    ['attune.emotion', { attune: { emotion: 'hungry' } }],
    ['attune.best_of', { attune: { best_of: 0 } }],
    ['attune.best_of', { attune: { best_of: 9 } }],
    ['attune.best_of', { attune: { best_of: 1.5 } }],
    ['attune.focus', { attune: { focus: 'dog' } }],
    ['attune.focus', { attune: { focus: Array(9).fill('dog') } }],
    ['attune.focus.0', { attune: { focus: [' '] } }],
    ['attune.focus.0', { attune: { focus: ['a'.repeat(65)] } }],
    ['attune.retrieval', { attune: { retrieval: 9 } }],
    ['attune.retrieval', { attune: { retrieval: 'yes' } }],
  ])('O11 refuses a bad %s and names it', (param, body) => {
    expect(failure(body)).toMatchObject({ kind: 'invalid_value', param });
  });

  it('refuses another model and names its own', () => {
    expect(failure({ model: 'gpt-4o' })).toEqual({
      kind: 'model_not_found',
      available: 'attune-135m',
    });
  });
});
