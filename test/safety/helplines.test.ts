import { describe, expect, it } from 'vitest';
import emergencyNumbers from '../../src/safety/data/emergency-numbers.json';
import rawHelplines from '../../src/safety/data/helplines.json';
import shipped from '../../src/safety/data/helplines.json?raw';
import {
  CHECKED_ON,
  helplinesFor,
  helpPage,
  readHelplineFile,
  readHelplines,
  safetyResourcesForError,
} from '../../src/safety/index.ts';

const DIRECTORY = 'ZZ';
const COUNTRIES = [
  ...new Set([...rawHelplines.map(({ country }) => country), ...Object.keys(emergencyNumbers)]),
].filter((country) => country !== DIRECTORY);
/** The data has no emergency number that two sources agree on; words stand in for it. */
const WITHOUT_NUMBER: ReadonlySet<string> = new Set(['MM', 'YE']);
const at = (region: string | null, locale: string | null = null) =>
  helplinesFor({ region, locale });

/** Contacts of a country that entries of one source only know; they must never be shown. */
function unverified(country: string): ReadonlySet<string> {
  const lines = rawHelplines.filter((line) => line.country === country);
  const contacts = (single: boolean) =>
    lines
      .filter(({ confidence }) => (confidence === 'single') === single)
      .flatMap(({ channels, url }) => [...channels.map(({ value }) => value), url ?? '']);
  const verified = new Set(contacts(false));
  return new Set(contacts(true).filter((contact) => !verified.has(contact)));
}

describe('the services of a country', () => {
  it('cover many countries', () => {
    expect(COUNTRIES.length).toBeGreaterThan(150);
  });

  it.each(COUNTRIES)(
    'C07 C08 are an emergency number and verified, dated contacts: %s',
    (country) => {
      const { emergency, resources, fallback, checked_on, ...answer } = at(country);
      if (WITHOUT_NUMBER.has(country)) expect(emergency).toBeNull();
      else {
        expect(answer.country).toBe(country);
        expect(emergency).toMatchObject({ kind: 'emergency', country, audience: 'anyone' });
        expect(emergency?.contact).toMatch(/^\d{2,5}$/);
      }
      expect(resources.length).toBeGreaterThan(0);
      const hidden = unverified(country);
      for (const resource of emergency ? [emergency, ...resources] : resources) {
        expect(resource.checked_on).toBe(CHECKED_ON);
        expect(hidden.has(resource.contact)).toBe(false);
        expect([country, DIRECTORY]).toContain(resource.country);
      }
      expect(checked_on).toBe(CHECKED_ON);
      expect(resources.some((entry) => entry.country === DIRECTORY)).toBe(fallback);
      expect(fallback || resources.some(({ audience }) => audience === 'anyone')).toBe(true);
    },
  );

  it('C08 carry the date of the look-up as an ISO date', () => {
    expect(CHECKED_ON).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it.each([
    ['GB', '999', '116 123'],
    ['US', '911', '988'],
    ['AU', '000', '13 11 14'],
    ['DE', '112', '0800 111 0 111'],
    ['ZA', '112', '0800 567 567'],
    ['ID', '119', 'https://www.healing119.id'],
    ['JP', '119', '0120-279-338'],
  ])('C07 are the right ones: %s calls %s and finds %s', (country, emergency, contact) => {
    const answer = at(country);
    expect(answer.emergency?.contact).toBe(emergency);
    expect(answer.resources.map((resource) => resource.contact)).toContain(contact);
  });

  it('C07 are never the American ones elsewhere', () => {
    for (const country of COUNTRIES.filter((code) => !['US', 'CA'].includes(code))) {
      const lines = at(country).resources.filter((resource) => resource.country !== country);
      expect(lines.map((resource) => resource.kind).filter((kind) => kind !== 'web')).toEqual([]);
      expect(at(country).resources.map(({ contact }) => contact)).not.toContain('741741');
    }
  });

  it('C07 say so where the number reaches an ambulance only', () => {
    expect(at('JP').emergency?.name).toContain('ambulance');
    expect(at('GB').emergency?.name).not.toContain('ambulance');
  });

  it('C08 no longer hold the former number of the American lifeline', () => {
    const digits = at('US').resources.map(({ contact }) => contact.replace(/\D/g, ''));
    expect(digits).toContain('988');
    expect(digits).not.toContain('18002738255');
  });

  it('are ordered: for everyone before for a group', () => {
    for (const country of COUNTRIES) {
      const own = at(country).resources.filter((resource) => resource.country === country);
      const groups = own.map(({ audience }) => (audience === 'anyone' ? 0 : 1));
      expect(groups, country).toEqual([...groups].sort());
    }
  });

  it('put those of the part of the country first', () => {
    expect(at('GB-SCT').resources[0]?.name).toContain('Scotland');
    expect(at('GB').resources[0]?.name).not.toContain('Scotland');
    expect(at('GB-SCT').emergency?.contact).toBe('999');
  });
});

describe('the place', () => {
  it.each([
    ['lower case', 'gb', null, 'GB'],
    ['a common alias', 'UK', null, 'GB'],
    ['the locale, without a region', null, 'en-AU', 'AU'],
    ['a locale with a script', null, 'zh-Hant-TW', 'TW'],
    ['the region before the locale', 'DE', 'en-US', 'DE'],
    ['an underscore in a subdivision', 'gb_sct', null, 'GB'],
  ])('is read from %s', (_name, region, locale, country) => {
    expect(at(region, locale).country).toBe(country);
  });

  it.each([[null], [''], ['XX'], ['ZZ'], ['nonsense'], ['../..'], ['G']])(
    'C07 unknown (%j) gives the directory and no guessed number',
    (region) => {
      const { country, emergency, resources, fallback } = at(region);
      expect({ country, emergency, fallback }).toEqual({
        country: null,
        emergency: null,
        fallback: true,
      });
      expect(resources.length).toBeGreaterThan(0);
      for (const { kind, contact } of resources) {
        expect(kind).toBe('web');
        expect(contact).toMatch(/^https:\/\//);
      }
    },
  );

  it('a language without a region names no country', () => {
    expect(at(null, 'en').country).toBeNull();
  });
});

describe('the help page and the error body', () => {
  it('C07 C15 the page holds all services, their date, and that this is an AI', () => {
    const page = helpPage({ region: 'GB', locale: null });
    expect(page).toMatchObject({ country: 'GB', fallback: false, checked_on: CHECKED_ON });
    expect(page.emergency?.contact).toBe('999');
    expect(page.disclosure).toMatch(/\bAI\b/);
    expect(page.message).toContain('emergency number');
  });

  it('C07 an error carries the emergency number first and stays small', () => {
    for (const country of COUNTRIES) {
      const resources = safetyResourcesForError({ region: country, locale: null });
      const first = resources.findIndex(({ kind }) => kind === 'emergency');
      expect(first, country).toBe(WITHOUT_NUMBER.has(country) ? -1 : 0);
      expect(resources.length, country).toBeGreaterThan(0);
      expect(resources.length, country).toBeLessThanOrEqual(6);
    }
    expect(safetyResourcesForError({ region: null, locale: null })[0]?.kind).toBe('web');
  });
});

const LINE = {
  country: 'GB',
  region: null,
  service: 'A line',
  channels: [{ type: 'phone', value: '116 123', keyword: null }],
  languages: ['en'],
  hours: '24/7',
  audience: 'anyone',
  url: 'https://example.org',
  emergency_number: '999',
  sources: [{ where: 'its own page', seen_as_of: '2026-01-01' }],
  confidence: 'official',
  conflict: null,
};
const FALLBACK = { ...LINE, country: DIRECTORY, service: 'Directory', emergency_number: null };
const channel = (type: string, value: string, country = 'GB') => ({
  country,
  channels: [{ type, value, keyword: null }],
});

describe('data that is read', () => {
  it('C08 is accepted as it is shipped, entry by entry and as a file', () => {
    expect(readHelplines(rawHelplines).ok).toBe(true);
    expect(readHelplineFile(shipped)).toEqual(readHelplines(rawHelplines));
  });

  it.each([
    ['a number with letters', channel('phone', 'call us')],
    ['an unknown channel', channel('fax', '116 123')],
    ['a chat without https', channel('chat', 'http://example.org')],
    ['a retired number', channel('phone', '1-800-273-8255', 'US')],
    ['no country code', { country: 'Britain' }],
    ['an unknown audience', { audience: 'everybody' }],
    ['an unknown confidence', { confidence: 'sure' }],
    ['an emergency number of words', { emergency_number: 'police' }],
    ['no source', { sources: [] }],
    ['a source without a date', { sources: [{ where: 'x' }] }],
    ['no language', { languages: [] }],
    ['no name', { service: ' ' }],
    ['an address that is none', { url: 'javascript:alert(1)' }],
    ['no way to reach it', { channels: [], url: null }],
  ])('C08 is refused with the line of the entry: %s', (_name, change) => {
    const list = [FALLBACK, LINE, { ...LINE, service: 'Another line', ...change }];
    const data = readHelplines(list);
    expect(data.ok).toBe(false);
    if (!data.ok) expect(new Set(data.errors.map(({ line }) => line))).toEqual(new Set([4]));
    const file = readHelplineFile(`[\n\n${list.map((e) => JSON.stringify(e)).join(',\n')}\n]`);
    expect(file.ok).toBe(false);
    if (!file.ok) expect(new Set(file.errors.map(({ line }) => line))).toEqual(new Set([5]));
  });

  it.each([
    ['the same service twice', [FALLBACK, LINE, LINE], 4],
    [
      'two emergency numbers in one country',
      [FALLBACK, LINE, { ...LINE, service: 'B', emergency_number: '911' }],
      4,
    ],
    ['no directory', [LINE], 1],
    ['something that is no entry', [FALLBACK, 7], 3],
    ['no list', { a: 1 }, 1],
  ])('C08 is refused as a whole: %s', (_name, value, line) => {
    const data = readHelplines(value);
    expect(data.ok).toBe(false);
    if (!data.ok) expect(data.errors.map((error) => error.line)).toContain(line);
  });

  it.each([
    ['broken JSON in an entry', `[\n${JSON.stringify(FALLBACK)},\n{"country": GB}\n]`, 3],
    ['an unclosed list', `[\n${JSON.stringify(FALLBACK)}`, 1],
    ['an object', '{"country": "GB"}', 1],
    ['nothing', '', 1],
  ])('C08 a file with %s is refused with its line', (_name, text, line) => {
    const data = readHelplineFile(text);
    expect(data.ok).toBe(false);
    if (!data.ok) expect(data.errors.map((error) => error.line)).toEqual([line]);
  });

  it('counts lines past strings with brackets, quotes and line signs', () => {
    const odd = { ...LINE, service: 'odd ]},[{ "name" \\ \n' };
    const bad = { ...LINE, service: 'C', audience: 'nobody' };
    const data = readHelplineFile(
      `[${JSON.stringify(FALLBACK)},\n${JSON.stringify(odd)},\n\n${JSON.stringify(bad, null, 2)}]`,
    );
    expect(data).toMatchObject({ ok: false, errors: [{ line: 4 }] });
  });
});
