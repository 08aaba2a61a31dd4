/** Browser storage that may be absent: private modes and policies make every access throw. */

/** `tab`: until the tab is closed. `device`: until it is removed. */
export type Shelf = 'tab' | 'device';

function shelf(name: Shelf): Storage {
  return name === 'tab' ? window.sessionStorage : window.localStorage;
}

/** @returns the stored text, or null where there is none or no storage. */
export function recall(name: Shelf, key: string): string | null {
  try {
    return shelf(name).getItem(key);
  } catch {
    return null;
  }
}

/** Stores the text, or does nothing where there is no storage. */
export function remember(name: Shelf, key: string, value: string): void {
  try {
    shelf(name).setItem(key, value);
  } catch {
    // Without storage the conversation still works; it is only not found again after a reload.
  }
}

/** Removes the text. */
export function forget(name: Shelf, key: string): void {
  try {
    shelf(name).removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
