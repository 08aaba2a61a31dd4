/** Identifiers. A session id is a capability beside the key, so it carries 128 random bits. */

const PREFIX = 'ses_';

export function newSessionId(
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(16)),
): string {
  return PREFIX + [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function isSessionId(value: string): boolean {
  return /^ses_[0-9a-f]{32}$/.test(value);
}

/** Turn ids are the turn's number: readable, ordered, unique within their session. */
export function turnId(n: number): string {
  return `turn_${n}`;
}

/** The number of a turn id, or null. */
export function turnNumber(id: string): number | null {
  const match = /^turn_([1-9]\d{0,8})$/.exec(id);
  return match?.[1] === undefined ? null : Number(match[1]);
}
