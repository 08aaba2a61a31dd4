/** Replies from a scripted remote model: what goes out, what becomes of what comes back. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/failure.ts';
import type { RemoteEngine } from '../../../src/engine/remote/remote-engine.ts';
import type { GenerationRequest, Turn } from '../../../src/engine/types.ts';
import { engineOver, id, ids, replyFrom, said, slot } from '../../support/remote-engine.ts';
import { frames, json, reading, tokenFrame, Upstream } from '../../support/upstream.ts';
import { slots } from '../../support/vocabulary.ts';

let upstream: Upstream;
let engine: RemoteEngine;
/** What the streams say, one after the other; readings are answered by `distribution`. */
let streams: (readonly (object | string)[])[] = [];
let distribution: Record<number, number> = {};

beforeEach(async () => {
  upstream = await Upstream.start();
  streams = [];
  distribution = {
    [slot(slots.emotions.get('sad'))]: 0.6,
    [slot(slots.intents.get('consoling'))]: 0.3,
    [slots.good]: 0.06,
    [slots.bad]: 0.02,
    [id('h')]: 0.01,
    [slots.imEnd]: 0.005,
    [id('o')]: 0.004,
  };
  upstream.script = (response, body) => {
    if (body.stream !== true) return json(response, 200, reading(distribution));
    frames(response, streams.shift() ?? []);
    response.end();
  };
  engine = engineOver(upstream);
});
afterEach(() => upstream.stop());

const reply = (turns?: readonly Turn[], more?: Partial<GenerationRequest>) =>
  replyFrom(engine, turns, more);
const streamBodies = () => upstream.bodies.filter(({ stream }) => stream === true);

describe('a reply', () => {
  it('T08 goes out as token ids: two readings, the stream, the judge', async () => {
    streams = [[tokenFrame(ids('ok')), tokenFrame([slots.imEnd], 'stop'), '[DONE]']];
    const { text, end, tokens, events } = await reply([said('<|im_end|>')]);
    const intent = slot(slots.steering.get('consoling'));
    expect(upstream.bodies.map(({ prompt }) => prompt)).toEqual([
      tokens.slice(0, -1),
      tokens,
      [...tokens, intent],
      [...tokens, intent, ...ids('ok'), slots.imEnd, slots.judge],
    ]);
    expect(tokens.filter((token) => token === slots.imEnd)).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'heads', intent: 'consoling' });
    expect(text).toBe('ok');
    expect(end).toMatchObject({ finishReason: 'stop', completionTokens: 3 });
    expect(end.responseScore).toBeCloseTo(0.75, 9);
  });

  it('maps the sampling to the names of every server', async () => {
    streams = [[tokenFrame([...ids('ok'), slots.imEnd], 'stop')]];
    await reply([said('Hi')], { deterministic: true });
    expect(streamBodies()).toEqual([
      expect.objectContaining({
        model: 'm',
        max_tokens: 12,
        temperature: 0.7,
        top_k: 100,
        top_p: 0.9,
        min_p: 0.05,
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        repetition_penalty: 1.05,
        repeat_penalty: 1.05,
        seed: 7,
        stop_token_ids: [slots.imEnd],
        cache_prompt: false,
        logit_bias: expect.objectContaining({ [slots.affect]: -100 }),
      }),
    ]);
  });

  it('uses no earlier state anywhere when deterministic', async () => {
    streams = [[tokenFrame([...ids('ok'), slots.imEnd], 'stop')]];
    await reply([said('Hi')], { deterministic: true });
    const states = upstream.bodies.map((body) => body['cache_prompt']);
    expect(states).toEqual([false, false, false, false]);
    streams = [[tokenFrame([...ids('ok'), slots.imEnd], 'stop')]];
    await reply();
    expect(upstream.bodies.slice(4).every((body) => !('cache_prompt' in body))).toBe(true);
  });

  it('ends with a server that does not name its end token', async () => {
    streams = [[tokenFrame(ids('ok')), tokenFrame([], 'stop')]];
    const { text, end } = await reply();
    expect(text).toBe('ok');
    expect(end).toMatchObject({ finishReason: 'stop', completionTokens: 3 });
    expect(end.responseScore).not.toBeNull();
  });

  it('that is cut at its length is not judged', async () => {
    streams = [[tokenFrame(ids('abcdef'), 'length')]];
    const { text, end } = await reply([said('Hi')], { maxTokens: 6 });
    expect(text).toBe('abcdef');
    expect(end).toMatchObject({ finishReason: 'length', completionTokens: 6, responseScore: null });
  });

  it('takes no more tokens than were asked for from a server that sends more', async () => {
    streams = [[tokenFrame(ids('abcdef'), 'length')]];
    expect((await reply([said('Hi')], { maxTokens: 2 })).text).toBe('ab');
  });

  it('ends before a stop string, wherever the frames were cut, and leaves the stream', async () => {
    streams = [[tokenFrame(ids('one S')), tokenFrame(ids('TOP and more'))]];
    const { text, end } = await reply([said('Hi')], { stop: ['STOP'] });
    expect(text.trim()).toBe('one');
    expect(end).toMatchObject({ finishReason: 'stop', responseScore: null });
  });

  it('is never empty: in place of an end as the first token stands the likeliest text', async () => {
    streams = [
      [tokenFrame([slots.imEnd], 'stop')],
      [tokenFrame(ids('i')), tokenFrame([slots.imEnd], 'stop')],
    ];
    const { text, tokens } = await reply();
    expect(text).toBe('hi');
    expect(streamBodies().map(({ prompt, max_tokens }) => [prompt.length, max_tokens])).toEqual([
      [tokens.length + 1, 12],
      [tokens.length + 2, 11],
    ]);
  });

  it('does not say a run of six tokens of an earlier reply again: the last one is drawn anew', async () => {
    const earlier: Turn = { role: 'assistant', text: 'abcdefg', intent: 'any' };
    streams = [
      [tokenFrame(ids('abcdefg'))],
      [tokenFrame(ids('x'), 'length')],
      [tokenFrame(ids('y')), tokenFrame([slots.imEnd], 'stop')],
    ];
    const { text } = await reply([said('Hi'), earlier, said('Hi')]);
    expect(text).toBe('abcdexy');
    const [, again, on] = streamBodies();
    expect(again).toMatchObject({ max_tokens: 1, seed: 12 });
    expect(again?.['logit_bias']).toMatchObject({ [id('f')]: -100 });
    expect(on?.['logit_bias']).not.toMatchObject({ [id('f')]: -100 });
    expect(on).toMatchObject({ max_tokens: 6, seed: 13 });
  });

  it('ends also with a server that ignores what is forbidden', async () => {
    const earlier: Turn = { role: 'assistant', text: 'abcdefg', intent: 'any' };
    streams = [
      [tokenFrame(ids('abcdefg'))],
      [tokenFrame(ids('f'), 'length')],
      [tokenFrame([slots.imEnd], 'stop')],
    ];
    expect((await reply([said('Hi'), earlier, said('Hi')])).text).toBe('abcdeh');
  });
});

describe('a server that ignores what is forbidden', () => {
  it('T08 puts no slot and no control token into a reply: text is drawn in its place', async () => {
    streams = [
      [tokenFrame([...ids('ok'), slots.judge, slots.imStart, ...ids('system')])],
      [tokenFrame([slots.judge], 'length')],
      [tokenFrame([slot(slots.emotions.get('sad'))])],
      [tokenFrame(ids('y'), 'length')],
      [tokenFrame([slots.imEnd], 'stop')],
    ];
    const { end, text } = await reply();
    expect(text).toBe('okhy');
    expect(end).toMatchObject({ finishReason: 'stop', completionTokens: 5 });
    expect(upstream.bodies.at(-1)?.prompt.slice(-6)).toEqual([
      ...ids('okhy'),
      slots.imEnd,
      slots.judge,
    ]);
  });
});

describe('a judge that cannot be asked', () => {
  it.each([429, 503, 500])('with %i leaves the finished reply without a score', async (status) => {
    const { script } = upstream;
    upstream.script = (response, body) =>
      body.prompt.at(-1) === slots.judge
        ? json(response, status, { error: { message: 'full' } })
        : script(response, body);
    streams = [[tokenFrame([...ids('ok'), slots.imEnd], 'stop')]];
    const { end, text } = await reply();
    expect(text).toBe('ok');
    expect(end).toMatchObject({ finishReason: 'stop', responseScore: null });
  });

  it('G01 is not asked any longer when the client has left', async () => {
    const control = new AbortController();
    const reason = new Error('left');
    const { script } = upstream;
    upstream.script = (response, body) =>
      body.prompt.at(-1) === slots.judge ? control.abort(reason) : script(response, body);
    streams = [[tokenFrame([...ids('ok'), slots.imEnd], 'stop')]];
    await expect(replyFrom(engine, undefined, {}, control.signal)).rejects.toBe(reason);
  });
});

describe('a stream that breaks', () => {
  it.each([
    ['ends without finish_reason', [tokenFrame(ids('ab')), '[DONE]']],
    ['is empty', []],
    ['has frames without token ids', [{ choices: [{ text: 'ab', finish_reason: null }] }]],
  ])('S06 S12 that %s is a failure, not a reply', async (_name, payloads) => {
    streams = [payloads];
    await expect(reply()).rejects.toBeInstanceOf(EngineFailure);
    await expect(reply()).rejects.toMatchObject({ kind: 'broken' });
  });
});

describe('a reading', () => {
  it('without token ids is a failure', async () => {
    upstream.script = (response) =>
      json(response, 200, {
        choices: [
          {
            text: 'a',
            finish_reason: 'length',
            logprobs: { tokens: ['a'], token_logprobs: [-1], top_logprobs: [{ a: -1 }] },
          },
        ],
      });
    await expect(reply()).rejects.toMatchObject({ kind: 'broken' });
  });

  it('counts a label outside of the likeliest tokens as 0', async () => {
    streams = [[tokenFrame([id('o'), slots.imEnd], 'stop')]];
    const { events } = await reply();
    const [heads] = events;
    if (heads?.type !== 'heads') throw new Error('no heads');
    expect(heads.heads.emotions).toHaveLength(32);
    expect(heads.heads.emotions[0]).toEqual({ label: 'sad', probability: 1 });
    expect(heads.heads.emotionMass).toBeCloseTo(0.6, 9);
  });
});
