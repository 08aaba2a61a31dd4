import { beforeAll, describe, expect, it } from 'vitest';
import { EMOTIONS, type Emotion } from '../../src/affect/emotions.ts';
import { affectReady, classify, classifyBatch } from '../../src/affect/index.ts';
import affectJson from '../../src/affect/model/affect.json';
import { type DialogueTurn, type Reading, SCORES } from '../../src/affect/types.ts';
import { BLANK, ILL_FORMED, WELL_FORMED } from '../support/adversarial-strings.ts';
import { affectOf } from './fixtures/affect-of.ts';
import { LATIN_LANGUAGES, OTHER_LANGUAGES } from './fixtures/other-languages.ts';
import { PARITY_CASES, PARITY_MODEL_SHA256 } from './fixtures/parity.ts';

/**
 * Largest difference of one probability from the oracle. int8 kernels of the oracle's CPU and of wasm
 * round differently, which moves close labels by up to 0.04 here (up to 0.00001 where no activation
 * lies on an edge). CPUs without VNNI may add to that (W07), hence the margin.
 */
const TOLERANCE = 0.05;

async function labelsOf(text: string, count = 1): Promise<(Emotion | undefined)[]> {
  return (await affectOf(text)).emotions.slice(0, count).map(({ label }) => label);
}

/** What is said of a text that was not read. */
const UNREAD = { causes: [], valence: null };

/** The test runner takes its time to transform the language detector; the bundle has it ready. */
beforeAll(async () => {
  await classify([
    { role: 'user', text: LATIN_LANGUAGES.map((code) => OTHER_LANGUAGES[code]?.[0]).join(' ') },
  ]);
});

/** Probabilities in the order of the labels. */
function inOrder(affect: Reading): number[] {
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

  it.each([
    ['🛸', 'I am so sorry your dog died.'],
    ['12', 'I am so sorry your dog died.'],
    ['\u200b', 'Congratulations on your beautiful new baby!'],
    ['…', 'Congratulations on your beautiful new baby!'],
  ])('E05 abstains on %j, whatever we said before it', async (text, ours) => {
    const affect = await affectOf([
      { role: 'user', text: 'I have news.' },
      { role: 'assistant', text: ours },
      { role: 'user', text },
    ]);
    expect(affect).toMatchObject({ abstained: true, abstain_reason: 'no_words', ...UNREAD });
  });

  it('E03 reads an emoji that stands for a word after what we said', async () => {
    const affect = await affectOf([
      { role: 'assistant', text: 'I am so sorry your dog died.' },
      { role: 'user', text: '😭' },
    ]);
    expect(affect.abstain_reason).not.toBe('no_words');
    expect(affect.intensity).not.toBeNull();
  });

  it.each(['ok', 'hello', 'asdf qwer zxcv'])(
    'abstains on %j, of which it cannot know the feeling',
    async (text) => {
      expect(await affectOf(text)).toMatchObject({
        abstained: true,
        abstain_reason: 'low_confidence',
      });
    },
  );

  it.each([
    ['My dog died last night.', 'en'],
    ['Ich bin heute sehr traurig', 'de'],
    ['我今天很难过', 'zh'],
    ['sad', null],
    ['…', null],
  ])('names the language of %j: %s', async (text, language) => {
    expect((await affectOf(text)).language).toBe(language);
  });

  it('abstains on other languages, and keeps quiet about what it cannot read', async () => {
    const texts = Object.values(OTHER_LANGUAGES).flatMap((lines) => lines.slice(0, 3));
    const readings = [];
    for (const text of texts) readings.push(await affectOf(text));
    const foreign = readings.filter((reading) => reading.abstain_reason === 'language');
    for (const { causes, valence } of foreign) expect({ causes, valence }).toEqual(UNREAD);
    // Some lines of two or three words could be of several languages.
    expect(foreign.length / texts.length).toBeGreaterThan(0.9);
  });

  it('abstains on an emoji after words of another language', async () => {
    const affect = await affectOf([
      { role: 'user', text: 'Estoy muy triste porque murió mi perro y lo echo de menos.' },
      { role: 'assistant', text: 'Lo siento mucho.' },
      { role: 'user', text: '😭' },
    ]);
    expect(affect).toMatchObject({ abstain_reason: 'language', language: 'es', ...UNREAD });
  });

  it('judges the language of the latest turn when it has words', async () => {
    const spanish: DialogueTurn = { role: 'user', text: OTHER_LANGUAGES['es']?.[1] ?? '' };
    const english: DialogueTurn = { role: 'user', text: 'I am so scared of losing my job.' };
    expect((await affectOf([spanish, english])).language).toBe('en');
    expect(await affectOf([english, spanish])).toMatchObject({ abstain_reason: 'language' });
  });

  it.each([
    'omg i cant even rn lol',
    'Kawhi and Siakam chemistry',
    'I had sushi with Giovanni in Guadalajara',
    "y'all gonna cry, aren't ya?",
  ])('reads English of all sorts: %j', async (text) => {
    expect((await affectOf(text)).abstain_reason).not.toBe('language');
  });

  it.each([...WELL_FORMED, ...BLANK, ...ILL_FORMED.map(({ text }) => text), 'a'.repeat(50_000)])(
    'T06 T07 T08 E03 answers every text with finite numbers within their bounds: %#',
    async (text) => {
      const reading = await affectOf(text);
      expect(inOrder(reading).every((value) => value > 0 && value < 1)).toBe(true);
      expect(inOrder(reading).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
      expect(reading.causes.length).toBeLessThanOrEqual(8);
      for (const { message, start, end, score } of reading.causes) {
        expect([message, start < end, end <= text.length]).toEqual([0, true, true]);
        expect(score >= 0 && score <= 1).toBe(true);
      }
      for (const name of SCORES) {
        const score = reading[name];
        expect(score === null || (score >= -1 && score <= 1)).toBe(true);
      }
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
