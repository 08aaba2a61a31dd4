/** Where the page's API key comes from. The key never enters a URL that is sent or kept. */
import { json, record, text } from '../api/narrow.ts';
import { forget, recall, remember } from '../api/storage.ts';

/** sessionStorage: the key lives as long as the tab. */
const KEY_NAME = 'attune.key';

/**
 * Takes a key from the fragment `#key=…`, which browsers do not send, keeps it for this tab and
 * removes it from the address bar and the history.
 *
 * @returns the key, or null where the fragment has none
 */
export function takeKeyFromFragment(location: Location, history: History): string | null {
  const key = new URLSearchParams(location.hash.replace(/^#/, '')).get('key')?.trim() ?? '';
  if (key === '') return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

/** Keeps the key for this tab. */
export function keepKey(key: string): void {
  remember('tab', KEY_NAME, key);
}

/** Drops the key that the service refused. */
export function dropKey(): void {
  forget('tab', KEY_NAME);
}

/**
 * The order is: fragment, this tab's memory, the local demo key.
 *
 * @param send the platform's `fetch`
 * @returns the key, or null where the person has to enter one
 */
export async function findKey(send: typeof fetch): Promise<string | null> {
  const given = takeKeyFromFragment(window.location, window.history);
  if (given !== null) keepKey(given);
  return given ?? recall('tab', KEY_NAME) ?? (await fetchDemoKey(send));
}

/** @returns the demo key that only a service on this machine gives out, else null. */
export async function fetchDemoKey(send: typeof fetch): Promise<string | null> {
  try {
    const response = await send('/demo-key', { cache: 'no-store' });
    return response.ok ? text(record(json(await response.text()))?.get('key')) : null;
  } catch {
    return null;
  }
}
