import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodingOf, requestFields } from '../../../eval/reply/decoding.ts';
import { run } from '../../../eval/reply.ts';
import { type Asked, pretending } from './support/model-server.ts';

const dialogue = (index: number) => ({
  conv_id: `hit:${index}`,
  turns: [
    { role: 'speaker', text: 'my cat is gone' },
    { role: 'listener', text: 'oh no', intent: 'sympathizing' },
    { role: 'speaker', text: 'since monday' },
    { role: 'listener', text: 'I am so sorry to hear that' },
  ],
});

async function fileOf(count: number): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'attune-')), 'data.jsonl');
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(dialogue(index)));
  await writeFile(file, lines.join('\n'));
  return file;
}

/** Halves of probability with any intent, quarters with the predicted one, all of it with a gold one. */
function answer({ path, body }: Asked): unknown {
  if (path === '/v1/score') {
    const chances = new Map([
      ['any', 0.5],
      ['predicted', 0.25],
    ]);
    return {
      results: body.replies.map(({ intent }) => {
        const logprob = Math.log(chances.get(intent) ?? 1);
        return { logprobs: [logprob, logprob] };
      }),
    };
  }
  const content = body.messages.length === 1 ? 'oh no' : 'I am so sorry to hear it';
  const emotion_mass = body.messages.length === 1 ? 1 : 0.5;
  return { choices: [{ message: { content } }], attune: { emotion_mass, intent_mass: 0.9 } };
}

describe('eval -- reply', () => {
  it('measures likelihood with any, the predicted and, where known, the gold intent', async () => {
    const { served, asked } = await pretending(answer);
    const figures = await run({ data: await fileOf(2), served });
    await served.close();
    expect(figures).toMatchObject({
      n: 4,
      conversations: 2,
      ppl_token: expect.closeTo(2, 9),
      ppl_token_predicted_intent: expect.closeTo(4, 9),
      ppl_token_oracle_intent: 1,
      n_oracle: 2,
    });
    const scored = asked.filter(({ path }) => path === '/v1/score');
    expect(scored.map(({ body }) => body.replies.length).toSorted()).toEqual([2, 2, 3, 3]);
  });

  it('measures replies beside those of people, and the mass of the heads', async () => {
    const { served } = await pretending(answer);
    const figures = await run({ data: await fileOf(2), served });
    await served.close();
    expect(figures).toMatchObject({
      n_generated: 4,
      bleu1: expect.closeTo((100 * 8) / 9, 9),
      brevity_penalty: 1,
      mean_words: 4.5,
      human_mean_words: 4.5,
      human_dist1: expect.closeTo((100 * 9) / 18, 9),
      empty_share: 0,
      emotion_mass_mean: 0.75,
      emotion_mass_min: 0.5,
      intent_mass_mean: expect.closeTo(0.9, 9),
    });
  });

  it('has an interval of every figure of language, a point where all conversations are alike', async () => {
    const { served } = await pretending(answer);
    const figures = await run({ data: await fileOf(2), served });
    await served.close();
    for (const name of ['ppl_token', 'ppl_word', 'bits_per_char', 'avg_bleu', 'brevity_penalty']) {
      const value = expect.closeTo(Number(figures[name]), 9);
      expect(figures.ci95[name], name).toEqual([value, value]);
    }
  });

  it('generates for the first conversations only, where a limit is given', async () => {
    const { served, asked } = await pretending(answer);
    const figures = await run({ data: await fileOf(3), served, generateLimit: 1 });
    await served.close();
    expect(figures).toMatchObject({ n: 6, n_generated: 2, conversations_generated: 1 });
    const seeds = asked.flatMap(({ path, body }) => (path === '/v1/score' ? [] : [body.seed]));
    expect(seeds.toSorted()).toEqual([0, 1]);
  });

  it('names its decoding, and sends what it names', async () => {
    const { served, asked } = await pretending(answer);
    const figures = await run({ data: await fileOf(1), served, bestOf: 4 });
    await served.close();
    expect(figures['decoding']).toMatchObject({ mode: 'default', temperature: 0.7, best_of: 4 });
    const completions = asked.filter(({ path }) => path === '/v1/chat/completions');
    for (const { body } of completions) {
      expect(body).toMatchObject({ temperature: 0.7, top_p: 0.9, attune: { best_of: 4 } });
    }
  });

  it('stops on an answer that is not what the API promises', async () => {
    const { served } = await pretending(({ path, body }) =>
      path === '/v1/score' ? { results: [] } : answer({ path, body }),
    );
    await expect(run({ data: await fileOf(1), served })).rejects.toThrow(/score is missing/);
    await served.close();
  });
});

describe('greedy decoding', () => {
  it('is temperature 0 with the whole distribution, and one reply', () => {
    expect(requestFields(decodingOf('greedy'))).toMatchObject({
      temperature: 0,
      top_p: 1,
      min_p: 0,
    });
    expect(requestFields(decodingOf('greedy'))).not.toHaveProperty('attune');
    expect(() => decodingOf('greedy', 4)).toThrow(/best-of/);
  });
});
