/** Writes services as lines of text, for clients and channels that show nothing but text. */
import type { HelplineAnswer } from '../helplines.ts';
import type { Labels } from '../text/text.ts';
import type { Resource } from '../types.ts';

/** Services named in the text of a reply; the event carries all of them. */
const MAX_SERVICES = 3;

function channelText(resource: Resource, labels: Labels): string {
  const { kind, contact, keyword } = resource;
  switch (kind) {
    case 'sms':
      return keyword === undefined
        ? `${labels.sms} ${contact}`
        : labels.smsKeyword.replace('{keyword}', keyword).replace('{number}', contact);
    case 'phone':
      return `${labels.call} ${contact}${keyword === undefined ? '' : ` (${keyword})`}`;
    case 'whatsapp':
      return `WhatsApp ${contact}`;
    case 'chat':
    case 'web':
    case 'emergency':
      return contact;
  }
}

/** Hours are written in English in the data; elsewhere only figures are understood. */
function hoursText({ hours }: Resource, labels: Labels): readonly string[] {
  if (hours === undefined) return [];
  if (labels.readsEnglish) return [hours];
  const figures = /^(24\/7|\d\d:\d\d-\d\d:\d\d)(?= daily|$| \()/.exec(hours)?.[1];
  return figures === undefined ? [] : [figures];
}

function grouped(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    groups.set(resource.name, [...(groups.get(resource.name) ?? []), resource]);
  }
  return [...groups.values()];
}

/** The emergency number as it is spoken of: the number, or words where none is known. */
export function emergencyText(answer: HelplineAnswer, labels: Labels): string {
  return answer.emergency?.contact ?? labels.localEmergency;
}

/** Name of the first service for anyone, to point at it again without the whole list. */
export function firstService(answer: HelplineAnswer): string {
  return answer.resources[0]?.name ?? '';
}

/**
 * The list: emergency number first, then up to three services with hours, and the date of the data
 * (cases C07, C08).
 */
export function resourceLines(answer: HelplineAnswer, labels: Labels): string {
  const open = answer.resources.filter(({ audience }) => audience === 'anyone');
  const named = open.length > 0 ? open : answer.resources;
  const lines: string[] = [];
  if (answer.emergency) {
    lines.push(`• ${labels.emergency}: ${labels.call} ${answer.emergency.contact}`);
  }
  for (const channels of grouped(named).slice(0, MAX_SERVICES)) {
    const first = channels[0];
    if (!first) continue;
    const direct = channels.filter((channel) => channel.kind !== 'web');
    const contacts = (direct.length > 0 ? direct : channels).map((c) => channelText(c, labels));
    const remarks = [
      hoursText(first, labels),
      first.audience === 'anyone' ? [] : [first.audience],
      first.note === undefined ? [] : [labels.disputed],
    ].flat();
    const remark = remarks.length > 0 ? ` (${remarks.join('; ')})` : '';
    lines.push(`• ${first.name}: ${contacts.join(', ')}${remark}`);
  }
  lines.push(`${labels.checked} ${answer.checked_on}.`);
  return lines.join('\n');
}
