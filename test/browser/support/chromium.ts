/** Finds Chromium and opens pages whose announcements, requests and violations are recorded. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const { CHROMIUM_PATH } = process.env;

const PLACES = [
  CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @returns the path of a Chromium, or null where none is installed */
export function findChromium(): string | null {
  return PLACES.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** @param executablePath from {@link findChromium} */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What a screen reader would have been given to say, in order. */
export interface Announcement {
  readonly role: 'log' | 'alert' | 'status';
  readonly text: string;
}

/** A page and what was recorded of it. */
export interface Visit {
  readonly page: Page;
  readonly announced: Announcement[];
  /** The values that the log's `aria-busy` took, in order. */
  readonly busy: string[];
  /** Violations of the Content-Security-Policy and uncaught errors. */
  readonly troubles: string[];
  /** Addresses of all requests. */
  readonly requests: string[];
}

/**
 * The rules of ARIA 1.2 for live regions, as far as the page uses them: what is added to a log, an
 * alert or a status is said, unless the region is busy or the addition is hidden.
 */
const RECORDER = `
new MutationObserver((records) => {
  for (const record of records) {
    const added = record.type === 'characterData' ? [record.target] : [...record.addedNodes];
    for (const node of added) {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest('[role=log],[role=alert],[role=status]');
      if (!region || (region === node && region.getAttribute('role') === 'log')) continue;
      if (element.closest('[aria-hidden=true]') || region.closest('[aria-busy=true]')) continue;
      const text = node.textContent.trim();
      if (text !== '') window.recordAnnouncement(region.getAttribute('role'), text);
    }
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
new MutationObserver((records) => {
  for (const { target } of records) window.recordBusy(target.getAttribute('aria-busy'));
}).observe(document, { subtree: true, attributeFilter: ['aria-busy'] });
document.addEventListener('securitypolicyviolation', (event) =>
  window.recordTrouble(event.violatedDirective + ' ' + event.blockedURI));
`;

/** Opens an address in a context of its own: no storage is shared with other visits. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const announced: Announcement[] = [];
  const busy: string[] = [];
  const troubles: string[] = [];
  const requests: string[] = [];
  await page.exposeFunction('recordAnnouncement', (role: Announcement['role'], text: string) => {
    announced.push({ role, text });
  });
  await page.exposeFunction('recordBusy', (value: string) => {
    busy.push(value);
  });
  await page.exposeFunction('recordTrouble', (text: string) => {
    troubles.push(text);
  });
  await page.addInitScript({ content: RECORDER });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  return { page, announced, busy, troubles, requests };
}
