/** `POST /v1/completions`: token ids in, token ids and log probabilities out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunningServer } from '../../src/server.ts';
import { failureOf, get, post, readStream, startTestServer } from '../support/client.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ sequences: 1 });
});
afterAll(() => server.close());

const PATH = '/v1/completions';
const finish = z.enum(['stop', 'length']);
const logprobs = z
  .object({
    tokens: z.array(z.string()),
    token_logprobs: z.array(z.number().max(0).nullable()),
    top_logprobs: z.array(z.record(z.string(), z.number().max(0)).nullable()),
    text_offset: z.array(z.int()),
  })
  .strict();
const answer = z
  .object({
    id: z.string().startsWith('cmpl-'),
    object: z.literal('text_completion'),
    created: z.int(),
    model: z.string(),
    choices: z
      .array(
        z
          .object({
            index: z.literal(0),
            text: z.string(),
            logprobs: logprobs.nullable(),
            finish_reason: finish.nullable(),
            token_ids: z.array(z.int()).optional(),
          })
          .strict(),
      )
      .max(1),
    usage: z
      .object({
        prompt_tokens: z.int(),
        completion_tokens: z.int(),
        total_tokens: z.int(),
        prompt_tokens_details: z.object({ cached_tokens: z.int() }).strict(),
      })
      .strict()
      .nullable()
      .optional(),
  })
  .strict();

/** "<|im_start|>user\nHello there<|im_end|>\n": ids of the committed vocabulary. */
const PROMPT = [1, 4093, 198, 19556, 665, 2, 198];
const ask = async (body: object) => {
  const response = await post(server, PATH, { prompt: PROMPT, temperature: 0, ...body });
  expect(response.status).toBe(200);
  const whole = answer.parse(await response.json());
  const [choice] = whole.choices;
  if (choice === undefined || !whole.usage) throw new Error('no choice');
  return { ...whole, choice, usage: whole.usage };
};
const stream = async (body: object) => {
  const response = await post(server, PATH, {
    prompt: PROMPT,
    temperature: 0,
    stream: true,
    ...body,
  });
  const { data } = await readStream(response);
  expect(data.at(-1)).toBe('[DONE]');
  return data.slice(0, -1).map((text) => answer.parse(JSON.parse(text)));
};

describe('a completion', () => {
  it('has the shape of OpenAI, with token ids on demand', async () => {
    const { choice, usage } = await ask({
      max_tokens: 4,
      return_token_ids: true,
      ignore_eos: true,
    });
    expect(choice).toMatchObject({ finish_reason: 'length', logprobs: null });
    expect(choice.token_ids).toHaveLength(4);
    expect(usage).toMatchObject({
      prompt_tokens: PROMPT.length,
      completion_tokens: 4,
      total_tokens: PROMPT.length + 4,
    });
  });

  it('O04 is the same streamed, with the finish reason once and the usage when asked for', async () => {
    const whole = await ask({ max_tokens: 6, return_token_ids: true, ignore_eos: true });
    const chunks = await stream({
      max_tokens: 6,
      return_token_ids: true,
      ignore_eos: true,
      stream_options: { include_usage: true },
    });
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices.flatMap(({ token_ids: ids }) => ids ?? [])).toEqual(whole.choice.token_ids);
    expect(choices.map(({ text }) => text).join('')).toBe(whole.choice.text);
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual(['length']);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(6);
    const plain = await stream({ max_tokens: 2 });
    expect(plain.filter((chunk) => 'usage' in chunk)).toEqual([]);
  });

  it('O05 has `usage: null` in every chunk but the last when usage was asked for', async () => {
    const chunks = await stream({ max_tokens: 2, stream_options: { include_usage: true } });
    expect(chunks.length).toBeGreaterThan(1);
    expect(new Set(chunks.slice(0, -1).map(({ usage }) => usage))).toEqual(new Set([null]));
  });

  it('is counted: its prompt, what of it was reused, its tokens', async () => {
    const counters = async () => {
      const text = await (await get(server, '/metrics')).text();
      return ['prompt_tokens', 'prompt_tokens_reused', 'generated_tokens'].map((name) =>
        Number(new RegExp(`^attune_${name}_total (\\d+)$`, 'm').exec(text)?.[1] ?? 0),
      );
    };
    await ask({ max_tokens: 1 });
    const before = await counters();
    const { usage } = await ask({ max_tokens: 3, ignore_eos: true });
    const reused = usage.prompt_tokens_details.cached_tokens;
    expect(reused).toBeGreaterThan(0);
    const added = (await counters()).map((value, index) => value - (before[index] ?? Number.NaN));
    expect(added).toEqual([PROMPT.length, reused, 3]);
  });

  it('keeps the state of its prompt also when a stop string ended it', async () => {
    const { choice } = await ask({ max_tokens: 8, ignore_eos: true, cache_prompt: false });
    const stop = choice.text.slice(0, 1);
    const stopped = await ask({ max_tokens: 8, ignore_eos: true, cache_prompt: false, stop });
    expect(stopped.choice.finish_reason).toBe('stop');
    const again = await ask({ max_tokens: 1 });
    expect(again.usage.prompt_tokens_details.cached_tokens).toBe(PROMPT.length - 1);
  });

  it('takes a text, in which control strings stay letters (T08)', async () => {
    const plain = await ask({ prompt: 'Hello there', max_tokens: 0 });
    expect(plain.usage.prompt_tokens).toBe(2);
    const control = await ask({
      prompt: '<|im_end|>',
      max_tokens: 0,
      echo: true,
      return_token_ids: true,
    });
    expect(control.choice.text).toBe('<|im_end|>');
    expect(control.choice.token_ids?.every((id) => id > 16 && id < 49_152)).toBe(true);
  });

  it('ends before a stop string and at a stop token', async () => {
    const { choice } = await ask({ max_tokens: 8, return_token_ids: true, ignore_eos: true });
    const ids = choice.token_ids ?? [];
    const last = ids.indexOf(ids.at(-1) ?? -1);
    const byToken = await ask({
      max_tokens: 8,
      stop_token_ids: ids.slice(-1),
      return_token_ids: true,
      ignore_eos: true,
    });
    expect(byToken.choice).toMatchObject({
      finish_reason: 'stop',
      token_ids: ids.slice(0, last + 1),
    });
    const stop = choice.text.slice(2, 5);
    const byText = await ask({ max_tokens: 8, stop: [stop], ignore_eos: true });
    expect(byText.choice.text).toBe(choice.text.slice(0, choice.text.indexOf(stop)));
    expect(byText.choice.finish_reason).toBe('stop');
  });

  it('never draws a token with a bias of -100, not even the end', async () => {
    const { choice } = await ask({ max_tokens: 1, return_token_ids: true });
    const [first] = choice.token_ids ?? [];
    const other = await ask({
      max_tokens: 1,
      return_token_ids: true,
      logit_bias: { [String(first)]: -100 },
    });
    expect(other.choice.token_ids).toHaveLength(1);
    expect(other.choice.token_ids).not.toEqual([first]);
  });

  it('is reproduced by its seed', async () => {
    const body = { max_tokens: 6, temperature: 1, ignore_eos: true, cache_prompt: false };
    const once = await ask({ ...body, seed: 5 });
    expect((await ask({ ...body, seed: 5 })).choice).toEqual(once.choice);
  });
});

describe('log probabilities', () => {
  it('name the likeliest tokens by id or by text, by falling probability', async () => {
    const body = { max_tokens: 1, logprobs: 5 };
    const byId = (await ask({ ...body, return_tokens_as_token_ids: true })).choice.logprobs;
    const byText = (await ask(body)).choice.logprobs;
    const [top] = byId?.top_logprobs ?? [];
    const values = Object.values(top ?? {});
    expect(values).toHaveLength(5);
    expect(values.toSorted((a, b) => b - a)).toEqual(values);
    expect(Object.keys(top ?? {}).every((name) => /^token_id:\d+$/.test(name))).toBe(true);
    expect(byId?.token_logprobs[0]).toBeCloseTo(values[0] ?? Number.NaN, 4);
    expect(byText?.tokens[0]).not.toMatch(/token_id/);
  });

  it('are those of the unchanged distribution, whatever the sampling', async () => {
    const body = { max_tokens: 2, logprobs: 3, return_tokens_as_token_ids: true, ignore_eos: true };
    const plain = (await ask(body)).choice.logprobs;
    const cold = (await ask({ ...body, temperature: 0.1, top_k: 1, seed: 1 })).choice.logprobs;
    expect(cold?.tokens).toEqual(plain?.tokens);
    for (const [index, logprob] of (plain?.token_logprobs ?? []).entries()) {
      expect(cold?.token_logprobs[index]).toBeCloseTo(logprob ?? Number.NaN, 1);
    }
  });

  it('of an echo are those of the given tokens, from the wanted one on', async () => {
    const body = { max_tokens: 1, echo: true, logprobs: 1, return_tokens_as_token_ids: true };
    const all = (await ask(body)).choice.logprobs;
    expect(all?.tokens.slice(0, -1)).toEqual(PROMPT.map((id) => `token_id:${id}`));
    expect(all?.token_logprobs[0]).toBeNull();
    expect(all?.token_logprobs.slice(1)).not.toContain(null);
    const late = (await ask({ ...body, logprob_start_len: 4 })).choice.logprobs;
    expect(late?.token_logprobs.slice(0, 4)).toEqual([null, null, null, null]);
    for (const index of [4, 5, 6, 7]) {
      const [a, b] = [all, late].map((one) => one?.token_logprobs[index] ?? Number.NaN);
      expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThan(0.1);
    }
  });

  it('of a step are also those of the same token echoed', async () => {
    const step = await ask({ max_tokens: 1, logprobs: 1, return_token_ids: true });
    const [token] = step.choice.token_ids ?? [];
    const echo = await ask({
      prompt: [...PROMPT, token],
      max_tokens: 0,
      echo: true,
      logprobs: 1,
    });
    const [a, b] = [step, echo].map(({ choice }) => choice.logprobs?.token_logprobs.at(-1));
    expect(Math.abs((a ?? 0) - (b ?? Number.NaN))).toBeLessThan(0.1);
  });
});

describe('a request that cannot be served', () => {
  it.each([
    [{ prompt: [] }, 'invalid_value', 'prompt'],
    [{ prompt: '' }, 'invalid_value', 'prompt'],
    [{ prompt: [['a']] }, 'invalid_value', 'prompt'],
    [{ prompt: [999_999] }, 'invalid_value', 'prompt'],
    [{ prompt: [-1] }, 'invalid_value', 'prompt.0'],
    [{ logprobs: 65 }, 'invalid_value', 'logprobs'],
    [{ logit_bias: { '999999': 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { a: 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { '': 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { '0x10': 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { ' 7 ': 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { '1e1': 1 } }, 'invalid_value', 'logit_bias'],
    [{ logit_bias: { '7.0': 1 } }, 'invalid_value', 'logit_bias'],
    [{ n: 2 }, 'invalid_value', 'n'],
    [{ max_tokens: 5_000 }, 'context_length_exceeded', 'prompt'],
    [{ prompt: new Array(600).fill(5) }, 'context_length_exceeded', 'prompt'],
  ])('%j is a 400 that names the parameter', async (body, code, param) => {
    const response = await post(server, PATH, { prompt: PROMPT, ...body });
    expect(await failureOf(response)).toMatchObject({ status: 400, code, param });
  });

  it('O06 names another model: 404', async () => {
    const response = await post(server, PATH, { prompt: PROMPT, model: 'gpt-4' });
    expect(await failureOf(response)).toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('leaves the sequence to the next one', async () => {
    const control = new AbortController();
    const body = { prompt: PROMPT, max_tokens: 400, stream: true, ignore_eos: true };
    const response = await post(server, PATH, body, { signal: control.signal });
    const reading = readStream(response);
    control.abort();
    await expect(reading).rejects.toThrow();
    expect((await ask({ max_tokens: 1 })).usage.completion_tokens).toBe(1);
  });
});
