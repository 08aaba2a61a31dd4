import { describe, expect, it } from 'vitest';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { post } from '../support/client.ts';

interface Reading {
  emotions: { label: string; probability: number }[];
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
