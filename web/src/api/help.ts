/** The helplines that the service gives to everyone, without a key. */
import type { Resource } from '../../../src/safety/types.ts';
import { readResource } from './events.ts';
import { json, list, record, text } from './narrow.ts';

/** Longest wait: a person who looks for help must not watch a spinner. */
const HELP_MS = 8_000;

/** Services of one country, and the sentence that this is an AI. */
export interface HelpList {
  readonly resources: readonly Resource[];
  readonly disclosure: string;
}

/**
 * @param region ISO 3166-1 alpha-2 country, or null for what the service assumes
 * @param send the platform's `fetch`
 * @returns the list, or null where it cannot be had
 */
export async function readHelp(
  region: string | null,
  send: typeof fetch,
): Promise<HelpList | null> {
  const query = region === null ? '' : `?${new URLSearchParams({ region })}`;
  try {
    const response = await send(`/help${query}`, { signal: AbortSignal.timeout(HELP_MS) });
    const body = response.ok ? record(json(await response.text())) : null;
    // The emergency number stands apart there.
    const lines = [body?.get('emergency'), ...list(body?.get('resources'), readResource)];
    const resources = list(lines, readResource);
    if (resources.length === 0) return null;
    return { resources, disclosure: text(body?.get('disclosure')) ?? '' };
  } catch {
    return null;
  }
}
