import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { emotionsOnly, type Message, type Reading } from '../../../../eval/ask.ts';
import { contentWords } from '../../../../eval/causes/content-words.ts';
import { fromReccon } from '../../../../eval/causes/reccon.ts';
import { causesFigures, readCases, run } from '../../../../eval/causes.ts';
import sample from '../../../../eval/data/reccon.sample.json' with { type: 'json' };

const data = fromReccon(sample);

type Reader = (
  messages: readonly Message[],
  gold: readonly { start: number; end: number }[],
) => Reading;

function readings(read: Reader) {
  const inContext = data.cases.map(({ messages, gold }) => read(messages, gold));
  const alone = data.cases.map(({ messages, gold }) => read(messages.slice(-1), gold));
  return { inContext, alone };
}

/** Knows the gold words of the latest message. */
const perfect: Reader = (messages, gold) => ({
  ...emotionsOnly([]),
  causes: contentWords(messages.at(-1)?.content ?? '')
    .filter((word) => gold.some(({ start, end }) => word.start < end && start < word.end))
    .map((word) => ({ message: messages.length - 1, ...word })),
});

/** Says the same of the message before. */
const elsewhere: Reader = (messages, gold) => ({
  ...emotionsOnly([]),
  causes: perfect(messages, gold).causes.map((cause) => ({ ...cause, message: cause.message - 1 })),
});

describe('the figures of cause words', () => {
  it('are 1 for a reading that names the words of the spans first', () => {
    const figures = causesFigures(data, readings(perfect));
    expect(figures.edge.of_oracle).toEqual({ at1: 1, at3: 1, at5: 1 });
    expect(figures.edge.recall).toEqual(figures.oracle_recall);
    expect(figures.tf_idf.of_oracle.at1).toBeLessThan(1);
    expect(figures.random.of_oracle.at1).toBeLessThan(1);
  });

  it('are 0 for words of another message, however right their places', () => {
    const { inContext } = readings(elsewhere);
    const figures = causesFigures(data, { inContext, alone: readings(perfect).alone });
    expect(figures.edge.recall).toEqual({ at1: 0, at3: 0, at5: 0 });
    expect(figures.edge_alone.of_oracle.at1).toBe(1);
  });

  it('say what was asked, what could not be, and where every order is right', () => {
    const figures = causesFigures(data, readings(perfect));
    // "so did she ?" has no content word; of the sister's driving test all of the others are "Guess".
    expect(figures).toMatchObject({ n: 4, spans: 5, without_content_words: 1 });
    expect(figures.partial.n).toBeGreaterThan(0);
    expect(figures.partial.n).toBeLessThanOrEqual(figures.n);
    expect(figures.partial.random.of_oracle.at1).toBeLessThan(1);
  });

  it('count answers with fewer words than could be scored', () => {
    const silent = readings(() => emotionsOnly([]));
    expect(causesFigures(data, silent).short_answers).toBe(4);
    expect(causesFigures(data, silent).edge.of_oracle.at5).toBe(0);
  });

  it('are 0 where nothing was asked', () => {
    const none = causesFigures({ cases: [], said: [] }, { inContext: [], alone: [] });
    expect(none).toMatchObject({ n: 0, mean_wanted: 0, edge: { recall: { at1: 0 } } });
  });
});

describe('a half', () => {
  it("is refused for RECCON's files, which have none", async () => {
    const data = fileURLToPath(
      new URL('../../../../eval/data/reccon.sample.json', import.meta.url),
    );
    await expect(run({ data, half: 'report' })).rejects.toThrow(/halves/);
  });
});

describe('readCases', () => {
  it('asks with the conversation and with the utterance alone', async () => {
    const asked: number[][] = [];
    await readCases(data, async (conversations) => {
      asked.push(conversations.map(({ length }) => length));
      return conversations.map(() => emotionsOnly([]));
    });
    expect(asked).toEqual([
      [2, 4, 1, 2, 2],
      [1, 1, 1, 1, 1],
    ]);
  });
});
