import { describe, expect, it } from 'vitest';
import { chooseIntent } from '../../src/heads/choose-intent.ts';

const intents = [
  { label: 'questioning', probability: 0.6 },
  { label: 'consoling', probability: 0.3 },
  { label: 'wishing', probability: 0 },
] as const;

describe('choosing an intent', () => {
  it('takes the most probable one', () => {
    expect(chooseIntent(intents, null, {})).toBe('questioning');
  });

  it('adds the bias to the log probabilities', () => {
    expect(chooseIntent(intents, null, { consoling: Math.log(1.9) })).toBe('questioning');
    expect(chooseIntent(intents, null, { consoling: Math.log(2.1) })).toBe('consoling');
    expect(chooseIntent(intents, null, { questioning: -1 })).toBe('consoling');
  });

  it('cannot bias what is impossible into being', () => {
    expect(chooseIntent(intents, null, { wishing: 100 })).toBe('questioning');
  });

  it('obeys a forced intent, `any` included', () => {
    expect(chooseIntent(intents, 'any', { consoling: 100 })).toBe('any');
    expect(chooseIntent(intents, 'wishing', {})).toBe('wishing');
  });
});
