/**
 * Reads and checks helpline data. A wrong number can cost a life, so a file with any fault is
 * refused as a whole, with the line of each fault; the data in use stays (case C08).
 */

export const AUDIENCES = [
  'anyone',
  'youth',
  'women',
  'men',
  'lgbtq',
  'veterans',
  'indigenous',
  'victims-of-violence',
] as const;
export type Audience = (typeof AUDIENCES)[number];

export const CONFIDENCES = ['official', 'two-sources', 'single'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const CHANNEL_TYPES = ['phone', 'sms', 'whatsapp', 'chat'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export interface Channel {
  readonly type: ChannelType;
  readonly value: string;
  /** SMS keyword, or the menu step of a phone line. */
  readonly keyword: string | null;
}

/** One service of one country; `ZZ` stands for an international directory. */
export interface Helpline {
  readonly country: string;
  /** ISO 3166-2 code or a plain description when the service is not nationwide. */
  readonly region: string | null;
  readonly service: string;
  readonly channels: readonly Channel[];
  /** ISO 639 codes. */
  readonly languages: readonly string[];
  readonly hours: string;
  readonly audience: Audience;
  readonly url: string | null;
  readonly emergency_number: string | null;
  readonly confidence: Confidence;
  readonly sources: readonly { readonly where: string; readonly seen_as_of: string }[];
  /** What the sources disagree about, or null. */
  readonly conflict: string | null;
}

/** A fault, with the line of the entry that has it (1-based). */
export interface DataError {
  readonly line: number;
  readonly message: string;
}

export type HelplineData =
  | { readonly ok: true; readonly entries: readonly Helpline[] }
  | { readonly ok: false; readonly errors: readonly DataError[] };

/**
 * Numbers that old lists still copy and that no longer reach the service (SOURCE.txt, and the
 * US lifeline's former number of case C08). Digits only.
 */
const RETIRED: ReadonlyMap<string, string> = new Map([
  ['18002738255', 'US'],
  ['7621602', 'EG'],
  ['00213983200058', 'DZ'],
  ['1393', 'KR'],
  ['199284284', 'IT'],
  ['18002214444', 'SG'],
  ['500454', 'ID'],
]);

const NUMBER = /^[+*(\d][\d\s().+*-]*$/;
/** Some small services have no https yet; a chat must have it. */
const WEB = /^https?:\/\/[a-z0-9.-]+\.[a-z]{2,}(\/\S*)?$/i;
const HTTPS = /^https:\/\/[a-z0-9.-]+\.[a-z]{2,}(\/\S*)?$/i;

const NOTHING: Readonly<Record<string, unknown>> = {};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, longest = 200): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest;
}

function isOneOf<T extends string>(value: unknown, list: readonly T[]): value is T {
  return list.some((entry) => entry === value);
}

function readChannel(value: unknown, country: string, faults: string[]): Channel | null {
  if (!isRecord(value)) {
    faults.push('a channel is not an object');
    return null;
  }
  const { type, value: contact, keyword } = value;
  if (!isOneOf(type, CHANNEL_TYPES)) faults.push(`channel type must be one of ${CHANNEL_TYPES}`);
  if (!isText(contact)) faults.push('channel value is missing');
  else if (type === 'chat' ? !HTTPS.test(contact) : !NUMBER.test(contact)) {
    faults.push(`channel value is not a ${type === 'chat' ? 'https address' : 'number'}`);
  } else if (RETIRED.get(contact.replace(/\D/g, '')) === country) {
    faults.push('channel value is a retired number');
  }
  if (keyword !== null && !isText(keyword, 20)) faults.push('keyword must be null or a short text');
  if (!isOneOf(type, CHANNEL_TYPES) || !isText(contact)) return null;
  return { type, value: contact, keyword: isText(keyword, 20) ? keyword : null };
}

function readSources(value: unknown, faults: string[]): Helpline['sources'] {
  const out: { where: string; seen_as_of: string }[] = [];
  for (const source of Array.isArray(value) ? value : []) {
    const { where, seen_as_of } = isRecord(source) ? source : NOTHING;
    if (isText(where, 400) && isText(seen_as_of, 60)) {
      out.push({ where, seen_as_of });
    } else faults.push('a source needs "where" and "seen_as_of"');
  }
  if (out.length === 0) faults.push('an entry needs a source');
  return out;
}

function nullOr(value: unknown, fits: (text: string) => boolean): boolean {
  return value === null || (typeof value === 'string' && fits(value));
}

/** One entry, or its faults. */
export function readEntry(value: unknown): { entry: Helpline | null; faults: readonly string[] } {
  const faults: string[] = [];
  if (!isRecord(value)) return { entry: null, faults: ['an entry is not an object'] };
  const { country, region, service, languages, hours, audience, url, confidence, conflict } = value;
  const { emergency_number: emergency, channels: given, sources: cited } = value;
  if (!isText(country, 2) || !/^[A-Z]{2}$/.test(country))
    faults.push('country is not two capitals');
  if (!nullOr(region, (text) => isText(text))) faults.push('region must be null or a text');
  if (!isText(service)) faults.push('service is missing');
  if (!isText(hours)) faults.push('hours are missing');
  if (!isOneOf(audience, AUDIENCES)) faults.push(`audience must be one of ${AUDIENCES}`);
  if (!isOneOf(confidence, CONFIDENCES)) faults.push(`confidence must be one of ${CONFIDENCES}`);
  if (!nullOr(url, (text) => WEB.test(text))) faults.push('url is not a web address');
  if (!nullOr(emergency, (text) => /^\d{2,5}$/.test(text)))
    faults.push('emergency_number is wrong');
  if (!nullOr(conflict, (text) => isText(text, 400)))
    faults.push('conflict must be null or a text');
  const tongues = Array.isArray(languages) ? languages.filter((code) => isText(code, 3)) : [];
  if (tongues.length === 0 || !tongues.every((code) => /^[a-z]{2,3}$/.test(code))) {
    faults.push('languages must be a list of codes');
  }
  const rawChannels: readonly unknown[] = Array.isArray(given) ? given : [];
  const place = isText(country, 2) ? country : '';
  const channels = rawChannels.flatMap((item) => readChannel(item, place, faults) ?? []);
  if (channels.length === 0 && typeof url !== 'string') faults.push('no channel and no url');
  const sources = readSources(cited, faults);
  const sound = faults.length === 0 && isText(country, 2) && isText(service) && isText(hours);
  if (!sound || !isOneOf(audience, AUDIENCES) || !isOneOf(confidence, CONFIDENCES)) {
    return { entry: null, faults };
  }
  const entry: Helpline = {
    country,
    region: typeof region === 'string' ? region : null,
    service,
    channels,
    languages: tongues,
    hours,
    audience,
    url: typeof url === 'string' ? url : null,
    emergency_number: typeof emergency === 'string' ? emergency : null,
    confidence,
    sources,
    conflict: typeof conflict === 'string' ? conflict : null,
  };
  return { entry, faults };
}

/**
 * Checks a list of entries one by one and against each other.
 *
 * @param lineOf line of the entry with this index; default: one entry a line after a first `[`
 */
export function readHelplines(
  value: unknown,
  lineOf: (index: number) => number = (index) => index + 2,
): HelplineData {
  if (!Array.isArray(value)) return { ok: false, errors: [{ line: 1, message: 'not a list' }] };
  const errors: DataError[] = [];
  const entries: Helpline[] = [];
  const seen = new Set<string>();
  const emergency = new Map<string, string | null>();
  for (const [index, item] of value.entries()) {
    const line = lineOf(index);
    const { entry, faults } = readEntry(item);
    for (const message of faults) errors.push({ line, message });
    if (!entry) continue;
    const key = `${entry.country}|${entry.region ?? ''}|${entry.service}`;
    if (seen.has(key)) errors.push({ line, message: 'the same service twice' });
    seen.add(key);
    const known = emergency.get(entry.country);
    if (known !== undefined && known !== entry.emergency_number) {
      errors.push({ line, message: 'another emergency number than the entries before' });
    }
    emergency.set(entry.country, entry.emergency_number);
    entries.push(entry);
  }
  if (!entries.some((entry) => entry.country === 'ZZ' && entry.url !== null)) {
    errors.push({ line: 1, message: 'no international directory (country ZZ with a url)' });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, entries };
}
