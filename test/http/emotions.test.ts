import { describe, expect, it } from 'vitest';
import { MAX_CAUSES } from '../../src/affect/constants.ts';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { emotionsAnswer, emotionsJson } from '../../src/http/describe.ts';
import { api, post } from '../support/client.ts';

interface Cause {
  message: number;
  start: number;
  end: number;
  score: number;
}

interface Reading {
  emotions: { label: string; probability: number }[];
  groups: { families: { family: string; probability: number }[] };
  causes: Cause[];
  intensity: number | null;
  language: string | null;
  abstained: boolean;
  abstain_reason?: string;
  route: string;
  risk: { level: number };
}

describe('POST /v1/emotions', () => {
  it('ranks all 32 emotions of a text, with probabilities that sum to 1', async () => {
    const response = await post('/v1/emotions', { text: 'I got the job! I am over the moon!' });
    const { emotions, route } = await response.json<Reading>();
    expect(emotions.map(({ label }) => label).sort()).toEqual([...EMOTIONS].sort());
    expect(emotions.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 5);
    expect(emotions.map(({ probability }) => probability)).toEqual(
      emotions.map(({ probability }) => probability).sort((a, b) => b - a),
    );
    expect(route).toBe('converse');
  });

  it('gives groups, scores, language and cause words of the text as it was sent', async () => {
    const text = '🎉 My daughter’s café opened today!';
    const reading = await (await post('/v1/emotions', { text })).json<Reading>();
    expect(reading.groups.families).toHaveLength(8);
    expect(reading.language).toBe('en');
    expect(reading.intensity).toBeGreaterThanOrEqual(0);
    expect(reading.causes.map(({ start, end }) => text.slice(start, end)).sort()).toEqual([
      'café',
      'daughter’s',
      'opened',
    ]);
    expect(new Set(reading.causes.map(({ message }) => message))).toEqual(new Set([0]));
  });

  it('counts the messages of cause words as they were sent', async () => {
    const messages = [
      { role: 'assistant', content: '…' },
      { role: 'user', content: 'My grandmother died.' },
    ];
    const { causes } = await (await post('/v1/emotions', { messages })).json<Reading>();
    expect(causes.map(({ message, start, end }) => [message, start, end]).sort()).toEqual([
      [1, 15, 19],
      [1, 3, 14],
    ]);
  });

  it('says why it abstains, and still ranks', async () => {
    const ask = async (text: string) =>
      (await post('/v1/emotions', { text })).json<Reading & Record<string, unknown>>();
    const blank = await ask('…');
    expect(blank).toMatchObject({ abstained: true, abstain_reason: 'no_words', valence: null });
    const german = await ask('Ich fühle mich so allein, seit du weg bist.');
    expect(german).toMatchObject({ abstain_reason: 'language', language: 'de', intensity: null });
    for (const { emotions } of [blank, german]) expect(emotions).toHaveLength(32);
    expect((await ask('My dog died last night.')).abstained).toBe(false);
  });

  it('says what it says in /openapi.json', async () => {
    const document = await (await api('/openapi.json', { key: null })).json<{
      components: { schemas: { Emotions: { properties: object; required: string[] } } };
    }>();
    const { properties, required } = document.components.schemas.Emotions;
    const abstained = await (await post('/v1/emotions', { text: '…' })).json<object>();
    expect(Object.keys(abstained).sort()).toEqual(Object.keys(properties).sort());
    const clear = await (
      await post('/v1/emotions', { text: 'My dog died last night.' })
    ).json<object>();
    expect(Object.keys(clear).sort()).toEqual(required.toSorted());
  });

  it.each(['…', 'My dog died last night.', 'Ich fühle mich so allein, seit du weg bist.'])(
    'answers %j with what it describes and nothing else',
    async (text) => {
      const body = await (await post('/v1/emotions', { text })).json();
      expect(emotionsJson.strict().parse(body)).toEqual(body);
    },
  );

  it('describes an answer with the causes of two full messages', async () => {
    const content =
      'My brother crashed the expensive red car, broke both legs, lost blood, nearly died.';
    const messages = [
      { role: 'user', content },
      { role: 'user', content: content.replace('brother', 'sister') },
    ];
    const body = await (await post('/v1/emotions', { messages })).json<Reading>();
    expect(body.causes.length).toBeGreaterThan(MAX_CAUSES);
    expect(emotionsJson.strict().parse(body)).toEqual(body);
  });

  it('describes the answer to a batch', async () => {
    const batch = ['…', 'I miss her.'].map((content) => ({
      messages: [{ role: 'user', content }],
    }));
    const body = await (await post('/v1/emotions', { batch })).json();
    expect(emotionsAnswer.parse(body)).toEqual(body);
    const document = await (await api('/openapi.json', { key: null })).text();
    expect(document).toContain('"results"');
  });

  it.each(['\\ud800', 'ab\\udc00', '\\ude00\\ud83d'])(
    'O09 refuses the lone surrogate in %s with its offset',
    async (text) => {
      const response = await api('/v1/emotions', { method: 'POST', body: `{"text": "${text}"}` });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('offset');
    },
  );

  it.each([' \n\t', '\u00a0\u2003', 'a'.repeat(16_001)])(
    'refuses a text within limits: %#',
    async (text) => {
      expect((await post('/v1/emotions', { text })).status).toBe(400);
    },
  );

  it.each(['\u0000', '\u200b\u200d', 'a'.repeat(16_000), '😭'.repeat(8_000)])(
    'T06 answers a text at the limits with numbers: %#',
    async (text) => {
      const response = await post('/v1/emotions', { text });
      expect(response.status).toBe(200);
      const { emotions } = await response.json<Reading>();
      expect(emotions.every(({ probability }) => probability > 0)).toBe(true);
    },
  );

  it('E05 judges the latest turn of the person, whatever the assistant said after it', async () => {
    const person = { role: 'user', content: 'Someone broke into my house while I was asleep.' };
    const one = await post('/v1/emotions', { messages: [person] });
    const two = await post('/v1/emotions', {
      messages: [person, { role: 'assistant', content: 'What a wonderful birthday party!' }],
    });
    expect(await two.json()).toEqual(await one.json());
  });

  it('answers a batch in its order, the same as one by one', async () => {
    const texts = ['I miss my old school days.', 'He lied to me again, I am so angry!'];
    const batch = texts.map((content) => ({ messages: [{ role: 'user', content }] }));
    const { results } = await (await post('/v1/emotions', { batch })).json<{
      results: Reading[];
    }>();
    for (const [i, text] of texts.entries()) {
      expect(results[i]).toEqual(await (await post('/v1/emotions', { text })).json());
    }
  });

  it('reports the crisis route beside the emotions', async () => {
    const { route, risk } = await (
      await post('/v1/emotions', { text: 'I want to end my life.' })
    ).json<Reading>();
    expect(route).toBe('crisis');
    expect(risk.level).toBeGreaterThanOrEqual(2);
  });

  it.each([
    [{}, undefined],
    [{ text: 'a', messages: [{ role: 'user', content: 'b' }] }, undefined],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'system', content: 'b' }] }, 'messages.0.role'],
    [{ batch: Array(33).fill({ messages: [{ role: 'user', content: 'b' }] }) }, 'batch'],
  ])('refuses %j', async (body, param) => {
    const response = await post('/v1/emotions', body);
    expect(response.status).toBe(400);
    const { error } = await response.json<{ error: { param?: string } }>();
    expect(error.param).toBe(param);
  });
});

describe('the model files', () => {
  it.each([
    '/affect.int8.onnx',
    '/src/affect/model/affect.int8.onnx',
    '/model/affect.int8.onnx',
    '/assets/affect.int8.onnx',
    '/src/affect/model/tokenizer.json',
    '/ort-wasm-simd-threaded.wasm',
  ])('are not to be had at %s', async (path) => {
    const response = await api(path, { key: null });
    const body = await response.arrayBuffer();
    expect(body.byteLength).toBeLessThan(100_000);
    expect(response.headers.get('content-type') ?? '').toMatch(/^$|^text\/html|^application\/json/);
  });
});
