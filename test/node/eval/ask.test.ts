import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  askBatches,
  askEdge,
  askServer,
  asRequest,
  inLabelOrder,
  type Message,
} from '../../../eval/ask.ts';
import type { Served } from '../../../eval/serve.ts';
import { EMOTIONS } from '../../../src/affect/emotions.ts';
import { groupsOf } from '../../../src/affect/groups.ts';

const said = (content: string): Message => ({ role: 'user', content });

/** A reading of the API that is sure of one label, which the text names. */
function apiReading(label: string) {
  const emotions = EMOTIONS.map((name) => ({ label: name, probability: name === label ? 1 : 0 }));
  return {
    emotions: emotions.toSorted((left, right) => right.probability - left.probability),
    groups: groupsOf(emotions.map(({ probability }) => probability)),
    abstained: false,
    causes: [{ message: 0, start: 0, end: label.length, score: 0.5 }],
    language: 'en',
    valence: 0.25,
    arousal: null,
    dominance: 0,
    intensity: 0.5,
    distress: 0,
    concern: 1,
    self_disclosure: 0.1,
    route: 'converse',
  };
}

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server = undefined;
});

/** Somebody who answers JSON on a free port, and the bodies that were sent. */
async function serving(
  answer: (body: { batch: { messages: Message[] }[]; messages: Message[] }) => unknown,
): Promise<{ served: Served; paths: string[] }> {
  const paths: string[] = [];
  const started = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks).toString()))));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `http://127.0.0.1:${port}`;
  return { served: { url, token: 'x', pid: undefined, close: async () => {} }, paths };
}

describe('asking the Worker', () => {
  it('sends full batches and gives the readings in order', async () => {
    const sizes: number[] = [];
    const { served, paths } = await serving(({ batch }) => {
      sizes.push(batch.length);
      return { results: batch.map(({ messages }) => apiReading(messages[0]?.content ?? '')) };
    });
    const names = Array.from({ length: 70 }, (_, index) => EMOTIONS[index % 32] ?? 'sad');
    const readings = await askEdge(served)(names.map((name) => [said(name)]));
    expect(sizes).toEqual([32, 32, 6]);
    expect(new Set(paths)).toEqual(new Set(['POST /v1/emotions']));
    expect(readings.map(({ probabilities }) => EMOTIONS[probabilities.indexOf(1)])).toEqual(names);
    expect(readings[0]).toMatchObject({
      abstained: false,
      causes: [{ message: 0, start: 0, end: 6 }],
      dimensions: { valence: 0.25, arousal: null, self_disclosure: 0.1 },
    });
  });

  it('stops when a reading is missing or is not what the API promises', async () => {
    const short = await serving(() => ({ results: [] }));
    await expect(askEdge(short.served)([[said('sad')]])).rejects.toThrow(/one reading/);
    server?.close();
    const { causes: _none, ...incomplete } = apiReading('sad');
    const other = await serving(() => ({ results: [incomplete] }));
    await expect(askEdge(other.served)([[said('sad')]])).rejects.toThrow(/causes/);
  });
});

describe('askBatches', () => {
  it('looks at as much of a result as it is told to', async () => {
    const { served } = await serving(({ batch }) => ({
      results: batch.map((_, index) => ({ route: `r${index}`, more: 1 })),
    }));
    const routes = await askBatches(
      served,
      [[said('a')], [said('b')]],
      z.object({ route: z.string() }),
    );
    expect(routes).toEqual([{ route: 'r0' }, { route: 'r1' }]);
  });

  it('says which path was not answered, where nobody listens', async () => {
    const { served } = await serving(() => ({}));
    await new Promise((resolve) => server?.close(resolve));
    await expect(askEdge(served)([[said('secret')]])).rejects.toThrow(
      /^\/v1\/emotions was not answered: \w+$/,
    );
  });
});

describe('asking the model server', () => {
  it('sends one conversation a request and reads emotions alone', async () => {
    const { served, paths } = await serving(({ messages }) => ({
      emotions: apiReading(messages[0]?.content ?? '').emotions,
    }));
    const readings = await askServer(served)([[said('proud')], [said('sad')]]);
    expect(paths).toEqual(['POST /v1/affect', 'POST /v1/affect']);
    expect(readings.map(({ groups }) => groups.families[0]?.family)).toEqual(['joy', 'sadness']);
    expect(readings[0]).toMatchObject({
      abstained: false,
      causes: [],
      dimensions: { valence: null },
    });
  });
});

describe('a request', () => {
  it('has the newest messages that the API takes, and no blank one', () => {
    const many = Array.from({ length: 70 }, (_, index) => said(`m${index}`));
    const sent = asRequest([...many, said(' \n')]);
    expect(sent).toHaveLength(64);
    expect(sent.at(-1)?.content).toBe('m69');
  });
});

describe('inLabelOrder', () => {
  it('undoes the ranking', () => {
    const row = inLabelOrder([
      { label: 'sad', probability: 0.7 },
      { label: 'afraid', probability: 0.3 },
    ]);
    expect(row[0]).toBe(0.3);
    expect(row[EMOTIONS.indexOf('sad')]).toBe(0.7);
    expect(row).toHaveLength(32);
  });
});
