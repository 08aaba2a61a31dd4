/**
 * Which services to show to whom. Only entries that two independent sources or an official page
 * support, without an open conflict where there is a choice; services for everyone first; the
 * emergency number always apart and first (case C07).
 */
import emergencyNumbers from './data/emergency-numbers.json';
import rawHelplines from './data/helplines.json';
import meta from './data/meta.json';
import { type Channel, type Helpline, readHelplines } from './helpline-data.ts';
import type { Resource } from './types.ts';

/** Date of the look-up, shown as "checked on" (data/SOURCE.txt says what that means). */
export const CHECKED_ON: string = meta.looked_up_on;

export interface HelplineQuery {
  /** ISO 3166-1 country or ISO 3166-2 subdivision ("GB", "GB-SCT"), or null when unknown. */
  readonly region: string | null;
  /** BCP 47 tag; its region is used when `region` is null, its language orders the list. */
  readonly locale: string | null;
}

export interface HelplineAnswer {
  /** Country that was served, or null when none is known. */
  readonly country: string | null;
  readonly emergency: Resource | null;
  readonly resources: readonly Resource[];
  /** True when no verified line for everyone is known and a directory stands in. */
  readonly fallback: boolean;
  /** ISO 8601 date. */
  readonly checked_on: string;
}

const SECONDARY = /Secondary channel\(s\) seen in one source only: ([^.]+)\.$/;
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
]);
/** Names of the subdivisions that the data knows, to label services that are not nationwide. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['GB-SCT', 'Scotland'],
  ['GB-WLS', 'Wales'],
  ['GB-NIR', 'Northern Ireland'],
  ['BO-C', 'Cochabamba'],
  ['IN-TN', 'Tamil Nadu'],
  ['RU-MOW', 'Moscow'],
]);
/** Country code of the international directories. */
const DIRECTORY = 'ZZ';
const DISPUTED = 'Sources disagree about this line; it may have changed.';

interface Prepared {
  readonly line: Helpline;
  readonly channels: readonly Channel[];
  readonly disputed: boolean;
}

function prepare(line: Helpline): Prepared {
  const secondary = SECONDARY.exec(line.conflict ?? '');
  const doubtful = new Set(secondary?.[1]?.split(',').map((value) => value.trim()) ?? []);
  // Dropping the channels that only one source knows settles that part of a conflict.
  const rest = (line.conflict ?? '').replace(SECONDARY, '').trim();
  return {
    line,
    channels: line.channels.filter((channel) => !doubtful.has(channel.value)),
    // For the directories the note says how to use them, not that anyone disagrees.
    disputed: rest !== '' && line.country !== DIRECTORY,
  };
}

let index: ReadonlyMap<string, readonly Prepared[]> | null = null;

/** @throws Error when the shipped data is faulty, which the build check prevents. */
function byCountry(): ReadonlyMap<string, readonly Prepared[]> {
  if (index) return index;
  const data = readHelplines(rawHelplines);
  if (!data.ok) throw new Error(`helpline data: ${data.errors.length} faults`);
  const map = new Map<string, Prepared[]>();
  for (const line of data.entries) {
    // A country without a verified line stays known: it may have an emergency number.
    const lines = map.get(line.country) ?? [];
    map.set(line.country, line.confidence === 'single' ? lines : [...lines, prepare(line)]);
  }
  index = map;
  return map;
}

function countryOf({ region, locale }: HelplineQuery): {
  country: string | null;
  part: string | null;
} {
  const explicit = region?.trim().toUpperCase().replace('_', '-') ?? '';
  const match = /^([A-Z]{2})(-[A-Z0-9]{1,3})?$/.exec(explicit);
  const tagged = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?=$|[-_.@])/i.exec(locale ?? '');
  const code = match?.[1] ?? tagged?.[1]?.toUpperCase() ?? null;
  const country = code === null || code === DIRECTORY ? null : (ALIASES.get(code) ?? code);
  return { country, part: match?.[2] === undefined ? null : explicit };
}

function languageOf(locale: string | null): string {
  return (locale ?? '').split(/[-_]/)[0]?.toLowerCase() ?? '';
}

/** Hours as people can use them: remarks on sources become a plain request to check. */
function plainHours(hours: string): string {
  if (hours.startsWith('not stated')) return 'hours not listed';
  const doubtful = /\([^)]*(check|needs_verification|20\d\d|listing|list)[^)]*\)/.test(hours);
  const plain = hours.replace(/\s*\([^)]*\)/g, '').trim();
  return doubtful ? `${plain} (please check)` : plain;
}

function toResources({ line, channels, disputed }: Prepared): readonly Resource[] {
  const place = line.region === null ? '' : ` (${PLACES.get(line.region) ?? line.region})`;
  const base = {
    name: `${line.service}${place}`,
    country: line.country,
    audience: line.audience,
    hours: plainHours(line.hours),
    checked_on: CHECKED_ON,
    ...(disputed ? { note: DISPUTED } : {}),
  };
  const out: Resource[] = channels.map(({ type, value, keyword }) => ({
    ...base,
    kind: type,
    contact: value,
    ...(keyword === null ? {} : { keyword }),
  }));
  const known = channels.some((channel) => channel.type === 'chat' && channel.value === line.url);
  if (line.url !== null && !known) out.push({ ...base, kind: 'web', contact: line.url });
  return out;
}

/** Lower is shown earlier. */
function rank({ line, channels }: Prepared, language: string, part: string | null): number {
  let points = line.audience === 'anyone' ? 0 : 100;
  if (line.region !== null) points += part === line.region ? -50 : 50;
  if (language !== '' && !line.languages.includes(language)) points += 20;
  if (!channels.some((channel) => channel.type === 'phone' || channel.type === 'sms')) points += 10;
  if (!/24\/7/.test(line.hours)) points += 4;
  if (line.confidence !== 'official') points += 1;
  return points;
}

function emergencyOf(country: string | null, lines: readonly Prepared[]): Resource | null {
  if (country === null) return null;
  const listed = Object.entries(emergencyNumbers).find(([code]) => code === country)?.[1];
  const contact =
    listed ?? lines.find(({ line }) => line.emergency_number !== null)?.line.emergency_number;
  if (contact === undefined || contact === null) return null;
  const ambulance = meta.ambulance_only.includes(country);
  return {
    name: ambulance ? 'Emergency services (ambulance)' : 'Emergency services',
    kind: 'emergency',
    contact,
    hours: '24/7',
    country,
    audience: 'anyone',
    checked_on: CHECKED_ON,
  };
}

/**
 * Emergency number and services for a place.
 *
 * @returns resources in the order in which to show them: for anyone, then for groups (labelled by
 * `audience`), each with its channels phone, SMS, chat, web; the directory when nothing is verified
 * @example helplinesFor({ region: 'GB', locale: null }).resources[0]?.contact // '116 123'
 */
export function helplinesFor(query: HelplineQuery): HelplineAnswer {
  const { country, part } = countryOf(query);
  const lines = byCountry().get(country ?? '') ?? [];
  const language = languageOf(query.locale);
  const forAnyone = lines.filter(({ line }) => line.audience === 'anyone');
  const settled = forAnyone.filter(({ disputed }) => !disputed);
  const groups = lines.filter(({ line, disputed }) => line.audience !== 'anyone' && !disputed);
  const shown = [...(settled.length > 0 ? settled : forAnyone), ...groups].sort(
    (a, b) => rank(a, language, part) - rank(b, language, part),
  );
  const fallback = forAnyone.length === 0;
  const directories = fallback ? (byCountry().get(DIRECTORY) ?? []) : [];
  const emergency = emergencyOf(country, lines);
  return {
    country: emergency || byCountry().has(country ?? '') ? country : null,
    emergency,
    resources: [...shown, ...directories].flatMap(toResources),
    fallback,
    checked_on: CHECKED_ON,
  };
}
