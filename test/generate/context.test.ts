import { describe, expect, it } from 'vitest';
import type { DialogueTurn } from '../../src/affect/types.ts';
import { recentTurns } from '../../src/generate/context.ts';

const turn = (text: string, role: DialogueTurn['role'] = 'user'): DialogueTurn => ({ role, text });

describe('recentTurns', () => {
  it('keeps the newest turns that fit, oldest first', () => {
    const turns = [turn('aaaa'), turn('bbbb', 'assistant'), turn('cc')];
    expect(recentTurns(turns, 6)).toEqual([turn('bbbb', 'assistant'), turn('cc')]);
    expect(recentTurns(turns, 100)).toEqual(turns);
  });

  it('keeps the end of a newest message that is too long alone', () => {
    expect(recentTurns([turn('old'), turn('0123456789')], 4)).toEqual([turn('6789')]);
  });

  it('keeps the words of a message that ends in white space, and leaves blank ones out', () => {
    const spaces = ' \n'.repeat(2_000);
    expect(recentTurns([turn(' \n'), turn(`I lost my dog${spaces}`)])).toEqual([
      turn('I lost my dog'),
    ]);
  });

  it('S15 never cuts inside a character', () => {
    const [kept] = recentTurns([turn('a🙂🙂')], 3);
    expect(kept?.text).toBe('🙂');
  });
});
