/**
 * Hazard: a character that is spread over tokens, in a stream that names ids in its logprobs.
 * llama.cpp's server sends no frame until the character is whole, and then only the last id.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineOver, ids, replyFrom, slot } from '../../support/remote-engine.ts';
import { frames, itemFrame, json, reading, Upstream } from '../../support/upstream.ts';
import { slots } from '../../support/vocabulary.ts';

/** UTF-8 of é: two tokens of the vocabulary. */
const [E1, E2] = [0xc3, 0xa9] as const;
let upstream: Upstream;
let stream: readonly object[] = [];
beforeEach(async () => {
  upstream = await Upstream.start();
  const distribution = {
    [slot(slots.emotions.get('sad'))]: 0.5,
    [slot(slots.intents.get('consoling'))]: 0.4,
    [slots.good]: 0.05,
  };
  upstream.script = (response, body) => {
    if (body.stream !== true) return json(response, 200, reading(distribution));
    frames(response, [...stream, itemFrame('', [slots.imEnd]), itemFrame('', [], 'stop')]);
    return response.end();
  };
});
afterEach(() => upstream.stop());

/** The text of the reply, and the ids that the judge was shown. */
const reply = async () => {
  const { text, end, tokens } = await replyFrom(engineOver(upstream, 'logprobs'));
  const judged = upstream.bodies.at(-1)?.prompt.slice(tokens.length + 1, -2);
  return { text, judged, completionTokens: end.completionTokens };
};

describe('a character spread over tokens', () => {
  it('S13 S15 is whole where the server left out its first ids', async () => {
    stream = [itemFrame('caf', ids('caf')), itemFrame('é', [E2]), itemFrame('s', ids('s'))];
    expect(await reply()).toEqual({
      text: 'cafés',
      judged: [...ids('caf'), E1, E2, ...ids('s')],
      completionTokens: 7,
    });
  });

  it('is there once where the server gave all ids and kept its text back', async () => {
    stream = [itemFrame('caf', ids('caf')), itemFrame('', [E1]), itemFrame('é', [E2])];
    expect(await reply()).toMatchObject({ text: 'café', judged: [...ids('caf'), E1, E2] });
  });

  it('is there where its frame has a text and no ids at all', async () => {
    stream = [itemFrame('caf', ids('caf')), { choices: [{ index: 0, text: 'é' }] }];
    expect(await reply()).toMatchObject({ text: 'café', judged: [...ids('caf'), E1, E2] });
  });

  it('is a failure where the server says another text than its earlier ids', async () => {
    stream = [itemFrame('', ids('caf')), itemFrame('tea', ids('a'))];
    await expect(reply()).rejects.toMatchObject({ kind: 'broken' });
  });
});
