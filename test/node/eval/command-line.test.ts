import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../eval/command-line.ts';

describe('a command line', () => {
  it('has what was said, and nothing for what was not', () => {
    expect(readCommandLine(['rank', '--data', 'f', '--blocks', '2', '--contexts', '40'])).toEqual({
      what: 'rank',
      json: false,
      judge: false,
      target: 'edge',
      data: 'f',
      blocks: 2,
      contexts: 40,
    });
    expect(
      readCommandLine(['reply', '--best-of', '4', '--decoding', 'greedy', '--generate-limit', '9']),
    ).toMatchObject({ bestOf: 4, decoding: 'greedy', generateLimit: 9 });
  });

  it('gives --pictures a folder of its own where none is named', () => {
    expect(readCommandLine(['affect', '--pictures', '--json']).pictures).toMatch(/docs\/affect$/);
    expect(readCommandLine(['affect', '--pictures', 'here']).pictures).toBe('here');
  });

  it.each([
    ['--limit', '0', /--limit is a positive/],
    ['--contexts', '1.5', /--contexts is a positive/],
    ['--half', 'left', /--half/],
    ['--decoding', 'wild', /--decoding/],
    ['--unknown', 'x', /unknown/],
  ])('refuses %s %s', (name, value, message) => {
    expect(() => readCommandLine(['reply', name, value])).toThrow(message);
  });
});
