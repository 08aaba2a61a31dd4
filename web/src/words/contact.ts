/** How one service is reached from this page: the words on its button and where it leads. */
import type { Resource } from '../../../src/safety/types.ts';

export interface Contact {
  readonly action: string;
  /** Null where the contact is not surely dialable: then it is shown as text only. */
  readonly href: string | null;
}

/** Digits with the usual separators, nothing else: extensions and menu steps cannot be dialled. */
const DIALABLE = /^\+?[\d\s().*#/-]*\d[\d\s().*#/-]*$/;

function dial(scheme: 'tel' | 'sms', contact: string): string | null {
  return DIALABLE.test(contact) ? `${scheme}:${contact.replace(/[^\d+*#]/g, '')}` : null;
}

function open(contact: string): URL | null {
  const address = /^[a-z]+:/i.test(contact) ? contact : `https://${contact}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  // Anything else, `javascript:` above all, is shown and not linked.
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

/** @returns the action in words ("Call 988") and its link. */
export function contactOf(resource: Resource): Contact {
  switch (resource.kind) {
    case 'emergency':
    case 'phone': {
      // A menu step is read by the person: a dialler would send it before anyone answers.
      const step = resource.keyword === undefined ? '' : ` (${resource.keyword})`;
      return {
        action: `Call ${resource.contact}${step}`,
        href: dial('tel', resource.contact),
      };
    }
    case 'sms': {
      const href = dial('sms', resource.contact);
      if (resource.keyword === undefined) return { action: `Text ${resource.contact}`, href };
      // RFC 5724: the word to send is already in the message.
      const body = `?body=${encodeURIComponent(resource.keyword)}`;
      return {
        action: `Text ${resource.keyword} to ${resource.contact}`,
        href: href === null ? null : href + body,
      };
    }
    case 'whatsapp': {
      // wa.me takes full international numbers only.
      const number = resource.contact.replace(/[^\d+]/g, '');
      const href = number.startsWith('+') ? `https://wa.me/${number.slice(1)}` : null;
      return { action: `WhatsApp ${resource.contact}`, href };
    }
    case 'chat':
    case 'web': {
      const url = open(resource.contact);
      if (url === null) return { action: resource.contact, href: null };
      return {
        action: resource.kind === 'chat' ? 'Chat online' : 'Open website',
        href: url.href,
      };
    }
  }
}

/** @returns the same services, emergency numbers first, else in the order given. */
export function emergencyFirst(resources: readonly Resource[]): readonly Resource[] {
  return resources.toSorted(
    (a, b) => Number(b.kind === 'emergency') - Number(a.kind === 'emergency'),
  );
}

/** One service and the ways to reach it. */
export interface Service {
  readonly name: string;
  readonly urgent: boolean;
  /** Who it is for, how open it is and what is doubtful about it, in words. */
  readonly details: readonly string[];
  readonly resources: readonly Resource[];
}

/** @returns the services in their order, the emergency number first, each with all its contacts */
export function servicesOf(resources: readonly Resource[]): readonly Service[] {
  const groups = new Map<string, Resource[]>();
  for (const resource of emergencyFirst(resources)) {
    const key = `${resource.kind === 'emergency'} ${resource.name} ${resource.audience}`;
    groups.set(key, [...(groups.get(key) ?? []), resource]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { name, audience, hours, note } = first;
    const details = [
      audience === '' || audience === 'anyone' ? '' : `For ${audience.replaceAll('-', ' ')}`,
      hours ?? '',
      note ?? '',
    ].filter((detail) => detail !== '');
    return [{ name, urgent: first.kind === 'emergency', details, resources: group }];
  });
}

/** @returns the earliest date on which one of the entries was checked, ISO 8601, or null. */
export function checkedOn(resources: readonly Resource[]): string | null {
  const dates = resources.map((resource) => resource.checked_on).filter((date) => date !== '');
  return dates.toSorted().at(0) ?? null;
}

/** @returns what a screen reader is told at once when the card appears. */
export function helpAnnouncement(resources: readonly Resource[]): string {
  const first = emergencyFirst(resources).slice(0, 2);
  const lines = first.map((resource) => `${resource.name}: ${contactOf(resource).action}.`);
  return `Help is available now. ${lines.join(' ')} The full list is before the message box.`;
}
