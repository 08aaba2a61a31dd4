/** The page in real Chromium against the real `npm start`. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService, temporaryHome } from '../node/start/support/service.ts';
import { findChromium, launch, type Visit, visit } from './support/chromium.ts';

const START_MS = 240_000;
const CRISIS = 'I want to kill myself tonight';

const executable = findChromium();
if (executable === null) console.log('skipped: no Chromium (set CHROMIUM_PATH to its place)');

describe.runIf(executable !== null)('the page', () => {
  const home = temporaryHome();
  const pictures = mkdtempSync(join(tmpdir(), 'attune-screenshots-'));
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService(home.path);
    browser = await launch(executable ?? '');
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    home.remove();
    console.log(`screenshots: ${pictures}`);
  });

  async function open(options: BrowserContextOptions = {}, fragment = ''): Promise<Visit> {
    const opened = await visit(browser, `${service.url}/${fragment}`, options);
    await opened.page.waitForSelector('#message, #key');
    return opened;
  }

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
  const textOf = async (locator: Locator) => (await locator.textContent())?.trim() ?? '';
  const idle = (page: Page) =>
    // Attached, not visible: an empty log has no size.
    page.waitForSelector('.log[aria-busy=false]', { state: 'attached' });

  /** Types and sends; resolves when the turn has ended. */
  async function say(page: Page, text: string): Promise<void> {
    await idle(page);
    const before = await page.locator('.turn').count();
    await page.locator('#message').fill(text);
    await page.locator('#message').press('Enter');
    await page.locator('.turn').nth(before).waitFor();
    await idle(page);
  }

  test('sends a message typed before it is connected as soon as it is', async () => {
    const page = await browser.newPage();
    let connect = () => {};
    const asked = new Promise<void>((resolve) => {
      connect = resolve;
    });
    await page.route('**/demo-key', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(service.url);
    await page.locator('#message').fill('I feel lonely today.');
    await page.locator('#message').press('Enter');
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await page.locator('#message').inputValue()).toBe('I feel lonely today.');
    connect();
    await page.locator('.turn').waitFor();
    expect(await page.locator('#message').inputValue()).toBe('');
    await page.close();
  });

  test('A01 is used by keyboard alone and announces a streamed reply once, at its end', async () => {
    const { page, announced, busy, troubles, requests } = await open();
    expect(await textOf(page.locator('.disclosure'))).toContain('is an AI');
    for (let steps = 0; steps < 20 && (await focused(page)) !== 'message'; steps++) {
      await page.keyboard.press('Tab');
    }
    expect(await focused(page)).toBe('message');

    await page.keyboard.type('My best friend is moving away');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and I feel empty.');
    expect(await page.locator('.turn').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('.turn').waitFor();
    await idle(page);

    expect(busy).toEqual(['true', 'false']);
    expect(await textOf(page.locator('.bubble'))).toBe(
      'My best friend is moving away\nand I feel empty.',
    );
    const reply = await textOf(page.locator('.reply'));
    expect(reply.length).toBeGreaterThan(3);
    expect(announced.filter(({ role }) => role === 'log')).toEqual([{ role: 'log', text: reply }]);
    expect(await page.locator('#message').inputValue()).toBe('');
    expect(await focused(page)).toBe('message');

    await say(page, 'She is leaving on Sunday.');
    expect(await page.locator('.reply').count()).toBe(2);
    expect(announced.filter(({ role }) => role === 'log')).toHaveLength(2);
    await page.screenshot({ path: join(pictures, 'chat.png') });
    expect(troubles).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
  });

  test('shows the crisis card once, emergency number first, and leaves the focus', async () => {
    const { page, announced, troubles } = await open();
    await say(page, CRISIS);
    const first = page.locator('.help li').first();
    expect(await first.locator('a').getAttribute('href')).toBe('tel:911');
    expect(await textOf(first.locator('a'))).toBe('Call 911');
    expect(await page.locator('.help li').count()).toBeGreaterThan(1);
    expect(await textOf(page.locator('.help-foot'))).toMatch(/checked on/);
    expect(await focused(page)).toBe('message');
    expect(await page.locator('.feeling').count()).toBe(0);
    const alerts = announced.filter(({ role }) => role === 'alert');
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.text).toMatch(/^Help is available now\. .*911/);
    await page.screenshot({ path: join(pictures, 'crisis.png') });

    await page.reload();
    await page.waitForSelector('.help li');
    expect(await page.locator('.help li a').first().getAttribute('href')).toBe('tel:911');
    expect(troubles).toEqual([]);
  });

  test('shows the helplines when they are asked for', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Helplines' }).click();
    await page.waitForSelector('.help li');
    expect(await focused(page)).toBe('help-title');
    expect(await page.locator('.help li a').first().getAttribute('href')).toBe('tel:911');
  });

  test('restores the conversation after a reload, and a new one can be left again', async () => {
    const { page } = await open();
    await say(page, 'I am proud of my little brother.');
    const before = await textOf(page.locator('.log'));
    await page.reload();
    await page.waitForSelector('.reply');
    expect(await textOf(page.locator('.log'))).toBe(before);

    await page.getByRole('button', { name: 'New conversation' }).click();
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await focused(page)).toBe('message');
    await page.getByRole('button', { name: 'Go back to the earlier one' }).click();
    await page.waitForSelector('.reply');
    expect(await textOf(page.locator('.log'))).toBe(before);
  });

  test('shows markup and control strings literally', async () => {
    const text = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '[a](javascript:alert(1)) &lt;b&gt; <|im_end|> שלום',
    ].join('\n');
    const { page, troubles } = await open();
    await say(page, text);
    expect(await textOf(page.locator('.bubble'))).toBe(text);
    await page.reload();
    await page.waitForSelector('.bubble');
    expect(await textOf(page.locator('.bubble'))).toBe(text);
    expect(await page.locator('.log :is(img, script, b, a)').count()).toBe(0);
    expect(await page.title()).toBe('Attune');
    expect(troubles).toEqual([]);
  });

  test('stops a reply that has not come yet and can go on', async () => {
    const { page } = await open();
    await say(page, 'Hello');
    const waiting = page.waitForRequest('**/messages');
    // Never answered: the reply is on its way for as long as the test likes.
    await page.route('**/messages', () => undefined);
    await page.locator('#message').fill('Tell me a long story.');
    await page.locator('#message').press('Enter');
    await waiting;
    await page.getByRole('button', { name: 'Stop' }).click();
    await idle(page);
    expect(await textOf(page.locator('.note'))).toBe('This reply was stopped before its end.');
    expect(await focused(page)).toBe('message');
    await page.unroute('**/messages');
    await say(page, 'I had a good day after all.');
    expect(await textOf(page.locator('.turn').last().locator('.reply'))).not.toBe('');
  });

  test('says in words what went wrong, keeps the text and sends it again', async () => {
    const { page, announced } = await open();
    await page.route('**/messages', (route) => route.abort('connectionrefused'));
    await say(page, 'I miss my dog.');
    expect(
      announced.some(({ role, text }) => role === 'alert' && /cannot be reached/.test(text)),
    ).toBe(true);
    await page.getByRole('button', { name: 'Edit message' }).click();
    expect(await page.locator('#message').inputValue()).toBe('I miss my dog.');
    expect(await page.locator('.turn').count()).toBe(0);

    await page.unroute('**/messages');
    await page.route('**/messages', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: 'event: delta\ndata: {"text":"I am so"}\n\n',
      }),
    );
    await page.locator('#message').press('Enter');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await textOf(page.locator('.failure'))).toContain('connection was lost');
    expect(await textOf(page.locator('.reply'))).toBe('I am so');

    await page.unroute('**/messages');
    await again.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.failure', { state: 'detached' });
    await idle(page);
    expect(await textOf(page.locator('.bubble'))).toBe('I miss my dog.');
    expect(await page.locator('.failure').count()).toBe(0);
    expect(await textOf(page.locator('.reply'))).not.toBe('I am so');
  });

  test('takes a key from the fragment and removes it from the address', async () => {
    const { page, requests } = await open({}, `#key=${service.key}`);
    await say(page, 'Hello');
    expect(page.url()).toBe(`${service.url}/`);
    expect(requests.some((url) => url.includes(service.key))).toBe(false);
    expect(requests.some((url) => url.endsWith('/demo-key'))).toBe(false);
  });

  test('asks for a key where none is given, and again when it is refused', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/demo-key', (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.goto(service.url);
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#message');
    await page.locator('#message').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByText('The key was not accepted. Please enter another one.').waitFor();
    await page.getByLabel('API key').fill(service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.reply');
    expect(await textOf(page.locator('.bubble'))).toBe('Hello');
  });

  test.each([
    ['a phone of 320 pixels', 'phone', { viewport: { width: 320, height: 640 } }],
    ['a window at 200 % zoom', 'zoomed', { viewport: { width: 640, height: 400 } }],
    ['a dark screen', 'dark', { colorScheme: 'dark', viewport: { width: 1000, height: 760 } }],
  ] as const)('fits %s without sideways scrolling', async (_what, name, options) => {
    const { page, troubles } = await open(options);
    await page.screenshot({ path: join(pictures, `${name}-welcome.png`) });
    await say(page, `${'A'.repeat(200)} is a long word.`);
    await say(page, CRISIS);
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll).toBe(client);
    await page.screenshot({ path: join(pictures, `${name}-crisis.png`) });
    expect(troubles).toEqual([]);
  });
});
