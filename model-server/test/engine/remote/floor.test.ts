/** Hazard: a server lists the likeliest tokens only. An unlisted one is improbable, not impossible. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  engineOver,
  id,
  ids,
  promptOf,
  replyFrom,
  said,
  slot,
} from '../../support/remote-engine.ts';
import { echo, frames, json, reading, tokenFrame, Upstream } from '../../support/upstream.ts';
import { slots } from '../../support/vocabulary.ts';

const SMALLEST = 0.001;
let upstream: Upstream;
let distribution: Record<number, number> = {};
beforeEach(async () => {
  upstream = await Upstream.start();
  upstream.script = (response, body) => {
    if (body.stream === true) {
      frames(response, [tokenFrame([...ids('ok'), slots.imEnd], 'stop')]);
      return response.end();
    }
    return json(response, 200, body['echo'] === true ? echo(body.prompt) : reading(distribution));
  };
});
afterEach(() => upstream.stop());

const judged = async () => {
  const engine = engineOver(upstream);
  const replies = [{ text: 'ok', intent: 'any' }] as const;
  const { signal } = new AbortController();
  const [score] = await engine.score(promptOf(engine, [said('Hi')]), replies, true, signal);
  return score?.judge;
};

describe('the judge', () => {
  it('counts an unlisted verdict as the least probable of the listed tokens', async () => {
    const rest = { [id('a')]: 0.003, [id('b')]: SMALLEST };
    distribution = { [slots.good]: 0.995, ...rest };
    expect(await judged()).toBeCloseTo(Math.log(0.995 / SMALLEST), 9);
    distribution = { [slots.bad]: 0.995, ...rest };
    expect(await judged()).toBeCloseTo(-Math.log(0.995 / SMALLEST), 9);
  });

  it('takes listed verdicts as they are', async () => {
    distribution = { [slots.good]: 0.6, [slots.bad]: 0.2, [id('a')]: SMALLEST };
    expect(await judged()).toBeCloseTo(Math.log(3), 9);
  });

  it('has no opinion when neither verdict is listed', async () => {
    distribution = { [id('a')]: 0.9, [id('b')]: 0.1 };
    expect(await judged()).toBeNull();
  });

  it('gives a finished reply a score below 1 in the same way', async () => {
    const heads = {
      [slot(slots.emotions.get('sad'))]: 0.2,
      [slot(slots.intents.get('consoling'))]: 0.2,
    };
    distribution = { [slots.good]: 0.5, ...heads, [id('a')]: 0.1 };
    const { end } = await replyFrom(engineOver(upstream));
    expect(end.responseScore).toBeCloseTo(0.5 / 0.6, 9);
  });
});

describe('the choice of an intent', () => {
  const intent = async (bias: number) => {
    distribution = {
      [slot(slots.emotions.get('sad'))]: 0.4,
      [slot(slots.intents.get('consoling'))]: 0.5,
      [slot(slots.intents.get('questioning'))]: 0.05,
      [id('a')]: 0.01,
    };
    const { events } = await replyFrom(engineOver(upstream), undefined, {
      intentBias: { wishing: bias },
    });
    const [heads] = events;
    if (heads?.type !== 'heads') throw new Error('no heads');
    return heads;
  };

  it('lets a bias lift an unlisted one from there', async () => {
    expect((await intent(Math.log(49))).intent).toBe('consoling');
    expect((await intent(Math.log(51))).intent).toBe('wishing');
  });

  it('changes no probability that is told', async () => {
    const { heads } = await intent(10);
    expect(heads.intents.find(({ label }) => label === 'wishing')?.probability).toBe(0);
    expect(heads.intentMass).toBeCloseTo(0.55, 9);
  });
});
