import { describe, expect, it } from 'vitest';
import { fieldsOf, numberIn, readCsv, textIn } from '../../../eval/csv.ts';

describe('a comma-separated file', () => {
  it('is read as RFC 4180 has it: commas, line ends and doubled quotes inside quotes', () => {
    expect(fieldsOf('a,"b, ""c""",d\r\n"e\nf",,g\n')).toEqual([
      ['a', 'b, "c"', 'd'],
      ['e\nf', '', 'g'],
    ]);
  });

  it('may end without a line end, and in an empty field', () => {
    expect(fieldsOf('a,b')).toEqual([['a', 'b']]);
    expect(fieldsOf('a,')).toEqual([['a', '']]);
    expect(fieldsOf('')).toEqual([]);
  });

  it('gives rows by the names of its header', () => {
    expect(readCsv('id,text\n1,"x, y"\n')).toEqual([{ id: '1', text: 'x, y' }]);
  });

  it.each([
    ['a quote that is never closed', 'a,"b'],
    ['text after a closed quote', '"a"b,c\n'],
    ['a quote inside a bare field', 'a"b,c\n'],
  ])('is refused with %s', (_name, text) => {
    expect(() => fieldsOf(text)).toThrow(/record 1/);
  });

  it('is refused where a row is not like the header, without its text', () => {
    expect(() => readCsv('a,b\nsecret\n')).toThrow(/^row 1 is not like the header$/);
  });

  it('gives text and numbers of a column that it has', () => {
    const row = { V: '2.5', text: '' };
    expect(numberIn(row, 'V')).toBe(2.5);
    expect(textIn(row, 'text')).toBe('');
  });

  it('is refused where a column is missing or holds no number, without its text', () => {
    expect(() => textIn({ a: 'secret' }, 'b')).toThrow(/^the file has no column b$/);
    expect(() => numberIn({ a: 'secret' }, 'b')).toThrow(/^the file has no column b$/);
    for (const field of ['secret', '', ' ', 'NaN', 'Infinity']) {
      expect(() => numberIn({ a: field }, 'a')).toThrow(
        /^column a holds a field that is no number$/,
      );
    }
  });

  it('may hold a field of 500,000 characters with 100,000 doubled quotes', () => {
    const field = `"${'a""b,\n'.repeat(100_000)}"`;
    expect(fieldsOf(`${field},x`)[0]?.[0]).toHaveLength(500_000);
  });
});
