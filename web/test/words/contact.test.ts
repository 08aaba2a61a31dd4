import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/safety/types.ts';
import {
  checkedOn,
  contactOf,
  emergencyFirst,
  helpAnnouncement,
  servicesOf,
} from '../../src/words/contact.ts';

function line(kind: Resource['kind'], contact: string, more: Partial<Resource> = {}): Resource {
  return {
    name: 'Line',
    kind,
    contact,
    country: 'US',
    audience: 'anyone',
    checked_on: '2026-11-30',
    ...more,
  };
}

describe('a contact', () => {
  test.each([
    ['emergency', '112', 'Call 112', 'tel:112'],
    ['phone', '0800 111 0 111', 'Call 0800 111 0 111', 'tel:08001110111'],
    ['phone', '+44 (0)20-7946', 'Call +44 (0)20-7946', 'tel:+440207946'],
    ['phone', '*4141', 'Call *4141', 'tel:*4141'],
    ['sms', '988', 'Text 988', 'sms:988'],
    ['whatsapp', '+39 324 011 7252', 'WhatsApp +39 324 011 7252', 'https://wa.me/393240117252'],
    ['chat', 'https://www.example.org/chat', 'Chat online', 'https://www.example.org/chat'],
    ['web', 'example.org', 'Open website', 'https://example.org/'],
  ] as const)('%s %s can be reached by one tap', (kind, contact, action, href) => {
    expect(contactOf(line(kind, contact))).toMatchObject({ action, href });
  });

  test('the word of a text line is in the message already', () => {
    expect(contactOf(line('sms', '741741', { keyword: 'HOME' }))).toMatchObject({
      action: 'Text HOME to 741741',
      href: 'sms:741741?body=HOME',
    });
  });

  test('a menu step is said and not dialled', () => {
    expect(contactOf(line('phone', '988', { keyword: 'press 1' }))).toMatchObject({
      action: 'Call 988 (press 1)',
      href: 'tel:988',
    });
  });

  test.each([
    ['phone', '0800 HELP'],
    ['phone', '112 ext. 8'],
    ['whatsapp', '9151 1767'],
    ['web', 'javascript:alert(1)'],
    ['chat', 'data:text/html,hi'],
    ['web', 'not an address'],
  ] as const)('%s "%s" is shown but is no link', (kind, contact) => {
    const { action, href } = contactOf(line(kind, contact));
    expect(href).toBeNull();
    expect(action).toContain(contact);
  });
});

describe('the list of contacts', () => {
  const phone = line('phone', '988', { name: 'Lifeline', checked_on: '2026-11-28' });
  const emergency = line('emergency', '911', { name: 'Emergency services' });
  const text = line('sms', '741741');

  test('has the emergency number first and keeps the order of the others', () => {
    expect(emergencyFirst([phone, text, emergency])).toEqual([emergency, phone, text]);
  });

  test('is one line for each service, with all its contacts', () => {
    const chat = line('chat', 'https://example.org', { name: 'Lifeline' });
    const veterans = line('phone', '988', {
      name: 'Lifeline',
      audience: 'veterans',
      hours: '24/7',
    });
    expect(servicesOf([phone, chat, text, veterans, emergency])).toEqual([
      { name: 'Emergency services', urgent: true, details: [], resources: [emergency] },
      { name: 'Lifeline', urgent: false, details: [], resources: [phone, chat] },
      { name: 'Line', urgent: false, details: [], resources: [text] },
      { name: 'Lifeline', urgent: false, details: ['For veterans', '24/7'], resources: [veterans] },
    ]);
  });

  test('claims no later check than its oldest entry had', () => {
    expect(checkedOn([emergency, phone])).toBe('2026-11-28');
    expect(checkedOn([{ ...phone, checked_on: '' }])).toBeNull();
  });

  test('is announced with the emergency number before any other', () => {
    expect(helpAnnouncement([phone, text, emergency])).toMatch(
      /^Help is available now\. Emergency services: Call 911\. Lifeline: Call 988\./,
    );
  });
});
