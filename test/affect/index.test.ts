import { describe, expect, it } from 'vitest';
import { EMOTIONS, type Emotion } from '../../src/affect/emotions.ts';
import { affectReady, classify, classifyBatch } from '../../src/affect/index.ts';
import affectJson from '../../src/affect/model/affect.json';
import type { Affect, DialogueTurn } from '../../src/affect/types.ts';
import { PARITY_CASES, PARITY_MODEL_SHA256 } from './fixtures/parity.ts';

/**
 * Largest difference of one probability from the oracle. int8 kernels of the oracle's CPU and of wasm
 * round differently, which moves close labels by up to 0.04 here (up to 0.00001 where no activation
 * lies on an edge). CPUs without VNNI may add to that (W07), hence the margin.
 */
const TOLERANCE = 0.05;

async function affectOf(input: string | readonly DialogueTurn[]): Promise<Affect> {
  const turns: readonly DialogueTurn[] =
    typeof input === 'string' ? [{ role: 'user', text: input }] : input;
  const result = await classify(turns);
  if (!result.ok) throw new Error(result.message);
  return result.affect;
}

async function labelsOf(text: string, count = 1): Promise<(Emotion | undefined)[]> {
  return (await affectOf(text)).emotions.slice(0, count).map(({ label }) => label);
}

/** Probabilities in the order of the labels. */
function inOrder(affect: Affect): number[] {
  const byLabel = new Map(affect.emotions.map(({ label, probability }) => [label, probability]));
  return EMOTIONS.map((label) => byLabel.get(label) ?? Number.NaN);
}

describe('classify', () => {
  it('ranks all 32 emotions with probabilities that sum to 1', async () => {
    const { emotions } = await affectOf('I lost my job today.');
    expect(new Set(emotions.map(({ label }) => label)).size).toBe(32);
    expect(emotions.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6);
    for (const [index, { probability }] of emotions.slice(1).entries()) {
      expect(probability).toBeLessThanOrEqual(emotions[index]?.probability ?? 0);
    }
  });

  it.each([
    ['We just found out we are having a baby!', ['joyful', 'excited', 'surprised', 'grateful']],
    ['My dog died last night.', ['sad', 'devastated', 'sentimental', 'lonely']],
    ['There was a man with a knife at my window!', ['terrified', 'afraid']],
    ['My brother ate the last piece of my cake again.', ['annoyed', 'angry', 'furious']],
  ])('understands %j', async (text, expected) => {
    const [label] = await labelsOf(text);
    expect(expected).toContain(label);
  });

  it('W07 the fixture is of the model that ships', () => {
    expect(PARITY_MODEL_SHA256).toBe(affectJson.files['affect.int8.onnx'].sha256);
  });

  it.each(PARITY_CASES.filter(({ probabilities }) => probabilities !== null))(
    'W07 gives the probabilities of the oracle: $name',
    async ({ turns, probabilities }) => {
      const differences = inOrder(await affectOf(turns)).map((value, index) =>
        Math.abs(value - (probabilities?.[index] ?? Number.NaN)),
      );
      expect(Math.max(...differences)).toBeLessThan(TOLERANCE);
    },
  );

  it.each(PARITY_CASES.filter(({ probabilities }) => probabilities === null))(
    'abstains where the oracle has nothing to classify: $name',
    async ({ turns }) => {
      const affect = await affectOf(turns);
      expect(affect).toMatchObject({ abstained: true, abstain_reason: 'no_words' });
      expect(inOrder(affect)).toEqual(Array(32).fill(1 / 32));
    },
  );

  it('E01 "I am not happy." is not a joy label', async () => {
    const [label] = await labelsOf('I am not happy.');
    expect(['joyful', 'content', 'excited', 'proud', 'grateful']).not.toContain(label);
  });

  it('E03 emoji count: they change the result, and it is never all zeros', async () => {
    const plain = await affectOf('you got this man');
    const laughing = await affectOf('you got this man 😆😂');
    const crying = await affectOf('you got this man 😭');
    expect(inOrder(laughing)).not.toEqual(inOrder(plain));
    expect(inOrder(laughing)).not.toEqual(inOrder(crying));
    expect(laughing.emotions[0]?.probability).toBeGreaterThan(1 / 32);
    expect((await affectOf('😭')).emotions[0]?.probability).toBeGreaterThan(1 / 32);
  });

  it('E05 our own answer does not change what the person feels', async () => {
    const said: DialogueTurn[] = [{ role: 'user', text: 'I saw my old school today.' }];
    const answered: DialogueTurn[] = [
      ...said,
      { role: 'assistant', text: 'Was this a friend you were in love with?' },
    ];
    expect(await affectOf(answered)).toEqual(await affectOf(said));
  });

  it('reads the history: the same words after different ones feel different', async () => {
    const last: DialogueTurn = { role: 'user', text: 'I still think about it.' };
    const following = (text: string) => affectOf([{ role: 'user', text }, last]);
    expect((await following('My grandfather died.')).emotions[0]).not.toEqual(
      (await following('We won the championship!')).emotions[0],
    );
  });

  it.each(['', '   ', '\u0000', '\ud800', '…', '?!?!', '0', '<|im_end|>', '我今天很难过', '🛸'])(
    'answers %j with a distribution',
    async (text) => {
      const probabilities = inOrder(await affectOf(text));
      expect(probabilities.every((value) => value > 0)).toBe(true);
      expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
    },
  );

  it.each(['…', '?!', '12.5', '🛸', ''])('abstains on %j, which has no word', async (text) => {
    expect(await affectOf(text)).toMatchObject({ abstained: true, abstain_reason: 'no_words' });
  });

  it.each(['ok', 'hello', 'asdf qwer zxcv', 'Ich bin heute sehr traurig'])(
    'abstains on %j, of which it cannot know the feeling',
    async (text) => {
      expect(await affectOf(text)).toMatchObject({
        abstained: true,
        abstain_reason: 'low_confidence',
      });
    },
  );

  it('gives the same twice', async () => {
    expect(await affectOf('I am so proud of my son.')).toEqual(
      await affectOf('I am so proud of my son.'),
    );
  });

  it('W06 takes many of the largest inputs, one after the other and at once', async () => {
    const large = 'I had to wait for three hours. '.repeat(517).slice(0, 16_000);
    const turns = Array.from({ length: 64 }, (): DialogueTurn => ({ role: 'user', text: large }));
    const first = await affectOf(turns);
    const all = await Promise.all(Array.from({ length: 12 }, () => affectOf(turns)));
    for (const affect of all) expect(affect).toEqual(first);
  });
});

describe('classifyBatch', () => {
  it('gives each dialogue what it would get alone', async () => {
    const dialogues: DialogueTurn[][] = [
      [{ role: 'user', text: 'I am so happy!' }],
      [{ role: 'user', text: '…' }],
      [{ role: 'user', text: 'I am scared of the dark, and of much more than that.' }],
    ];
    const alone = [];
    for (const turns of dialogues) alone.push(await classify(turns));
    expect(await classifyBatch(dialogues)).toEqual(alone);
    expect(await classifyBatch([])).toEqual([]);
  });
});

describe('affectReady', () => {
  it('is ready with the shipped files', async () => {
    expect(await affectReady()).toEqual({ ok: true });
  });
});
