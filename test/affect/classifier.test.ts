import { describe, expect, it } from 'vitest';
import { createClassifier } from '../../src/affect/classifier.ts';
import { RETRY_AFTER_MS } from '../../src/affect/constants.ts';
import type { ModelFiles } from '../../src/affect/load.ts';
import type { DialogueTurn } from '../../src/affect/types.ts';
import { describeModel, tinyFiles } from './fixtures/tiny.ts';
import short from './fixtures/tiny-31.onnx';

const SAD: readonly DialogueTurn[] = [{ role: 'user', text: 'I am so sad.' }];

/** A classifier of the tiny model; `files` may be exchanged between two attempts. */
async function setUp(files?: ModelFiles) {
  const state = { files: files ?? (await tinyFiles()), asked: 0, now: 0 };
  const classifier = createClassifier({
    files: () => {
      state.asked += 1;
      return state.files;
    },
    now: () => state.now,
  });
  return { state, ...classifier };
}

async function brokenFiles(): Promise<ModelFiles> {
  return tinyFiles({ model: new ArrayBuffer(8) });
}

describe('createClassifier', () => {
  it('reads no file before it is asked', async () => {
    const { state, classify } = await setUp();
    expect(state.asked).toBe(0);
    await classify(SAD);
    expect(state.asked).toBe(1);
  });

  it('shares one load among concurrent first calls', async () => {
    const { state, classify, ready, classifyBatch } = await setUp();
    const [first, second, batch, isReady] = await Promise.all([
      classify(SAD),
      classify(SAD),
      classifyBatch([SAD]),
      ready(),
    ]);
    expect(state.asked).toBe(1);
    expect(first.ok).toBe(true);
    expect(second).toEqual(first);
    expect(batch).toEqual([first]);
    expect(isReady).toEqual({ ok: true });
  });

  it('W04 answers with a value when the model is another file, and goes on when it is mended', async () => {
    const { state, classify, ready, classifyBatch } = await setUp(await brokenFiles());
    const broken = {
      ok: false,
      code: 'model_unavailable',
      message: expect.stringMatching(/expected sha256 \w{64}, found \w{64}/),
    };
    expect(await classify(SAD)).toEqual(broken);
    expect(await classifyBatch([SAD, SAD])).toEqual([broken, broken]);
    expect(await ready()).toEqual({ ok: false, message: broken.message });

    state.files = await tinyFiles();
    state.now = RETRY_AFTER_MS - 1;
    expect((await classify(SAD)).ok).toBe(false);
    state.now = RETRY_AFTER_MS;
    expect((await classify(SAD)).ok).toBe(true);
    expect(state.asked).toBe(2);
  });

  it('answers with a value when the files cannot be had at all', async () => {
    const { classify } = createClassifier({
      files: () => {
        throw new Error('no such module');
      },
      now: () => 0,
    });
    expect(await classify(SAD)).toEqual({
      ok: false,
      code: 'model_unavailable',
      message: 'no such module',
    });
  });

  it('answers with a value when the graph has not one logit for each emotion', async () => {
    const files = await tinyFiles({ model: short, description: await describeModel(short) });
    const { classify } = await setUp(files);
    expect(await classify(SAD)).toMatchObject({ ok: false, code: 'model_unavailable' });
  });

  it('loads without leaving the turn of the event loop, so a request that dies cannot take others with it', async () => {
    const { classify } = await setUp();
    const order: string[] = [];
    const timer = new Promise<void>((resolve) => {
      setTimeout(() => {
        order.push('timer');
        resolve();
      }, 0);
    });
    await classify(SAD);
    order.push('classified');
    await timer;
    expect(order).toEqual(['classified', 'timer']);
  });

  it('lets others in between the dialogues of a batch', async () => {
    const { classifyBatch, classify } = await setUp();
    await classify(SAD);
    const order: string[] = [];
    setTimeout(() => order.push('timer'), 0);
    await classifyBatch([SAD, SAD, SAD]);
    order.push('batch');
    expect(order).toEqual(['timer', 'batch']);
  });
});
