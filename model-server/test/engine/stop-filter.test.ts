import { describe, expect, it } from 'vitest';
import { StopFilter } from '../../src/engine/stop-filter.ts';

const run = (stops: string[], pieces: string[]) => {
  const filter = new StopFilter(stops);
  const out: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = filter.push(piece);
    out.push(text);
    if (stopped) return { out, text: out.join(''), stopped };
  }
  out.push(filter.end());
  return { out, text: out.join(''), stopped: false };
};

describe('stop strings', () => {
  it('let everything pass at once when there are none', () => {
    expect(run([], ['a', 'b']).out).toEqual(['a', 'b', '']);
  });

  it('end the text before the string, however the pieces are cut', () => {
    const text = 'I see. STOP never shown';
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect(run(['STOP'], pieces)).toMatchObject({ text: 'I see. ', stopped: true });
    }
  });

  it('take the first of several', () => {
    expect(run(['zz', 'b'], ['abzz']).text).toBe('a');
  });

  it('give back what only looked like the beginning of one', () => {
    expect(run(['STOP'], ['ST', 'ART', ' ST'])).toMatchObject({ text: 'START ST', stopped: false });
  });

  it('hold back no more than may belong to one', () => {
    expect(run(['aab'], ['xaa', 'a', 'c']).out).toEqual(['x', 'a', 'aac', '']);
  });
});
