/**
 * Reading comma-separated files of the data sets (RFC 4180: quoted fields hold commas, line ends and
 * doubled quotes). Strict: our three files keep the rules, and a file that does not is refused.
 */

/**
 * Rows of a file with a header, as field name → text.
 * @throws when a row has another number of fields than the header, or a quote is never closed
 */
export function readCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = fieldsOf(text);
  if (header === undefined) return [];
  return rows.map((row, index) => {
    if (row.length !== header.length) throw new Error(`row ${index + 1} is not like the header`);
    return Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']));
  });
}

/**
 * A field of a row.
 * @throws when the file has no such column
 */
export function textIn(row: Readonly<Record<string, string>>, column: string): string {
  const field = row[column];
  if (field === undefined) throw new Error(`the file has no column ${column}`);
  return field;
}

/**
 * A field that holds a number.
 * @throws when there is no such column, or a field of it is blank or no number
 */
export function numberIn(row: Readonly<Record<string, string>>, column: string): number {
  const field = textIn(row, column);
  const value = Number(field);
  if (field.trim() === '' || !Number.isFinite(value)) {
    throw new Error(`column ${column} holds a field that is no number`);
  }
  return value;
}

/** All records of a file without a header. */
export function fieldsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // One field and what ends it: a comma, a line end or the end of the text.
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`record ${rows.length + 1} is not RFC 4180`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  // A comma as the last character opens one more field.
  if (row.length > 0) rows.push([...row, '']);
  return rows;
}
