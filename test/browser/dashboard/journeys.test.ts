// The dashboard in use: by mouse, by keys, signing in, and when something is missing. In the whole of Chromium, as people have it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDatabase } from '../../support/database.ts';
import { useDemo } from '../../support/demo.ts';
import { type FakeKeystone, inSeconds, settingsFor, startFakeKeystone } from '../../support/fake-keystone.ts';
import { expectQuiet, type Observed, observe, startBrowser } from '../observed.ts';
import { mapIsDrawn } from './map-drawn.ts';

const full = useDemo();
const empty = useDatabase();
const { log } = createLogger({ level: 'fatal' });
let browser: Browser;
let gateway: RunningServer;

beforeAll(async () => {
  browser = await startBrowser('chromium');
  gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: full.db, log });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

async function open(path: string, origin = gateway.url): Promise<Observed> {
  const observed = await observe(browser, origin);
  await observed.page.goto(`${origin}${path}`);
  return observed;
}

const map = 'Hosts by use of VCPU';

describe('with keys only', () => {
  test('every page of the navigation is reached, and left again', async () => {
    const observed = await open('/');
    const { page } = observed;
    await page.getByRole('listbox').waitFor();
    for (const [key, heading] of [
      ['h', 'Hosts'],
      ['f', /fit/i],
      ['c', 'Consumers'],
      ['p', 'Projects'],
      ['e', /History|Events/],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expectQuiet(observed);
  });

  test('the map says each host in words, opens it, and goes in and up', async () => {
    const observed = await open('/?in=az1');
    const { page } = observed;
    const hosts = page.getByRole('listbox', { name: map });
    await mapIsDrawn(page);
    await hosts.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('option', { name: /^az1-rack01-node02: \d+ % of VCPU used, \d+ of \d+/ }).waitFor();
    await expect.poll(() => page.url()).toContain('host=az1-rack01-node02');
    await page.keyboard.press('End');
    await page.getByRole('option', { name: /^az1-rack10-node10:/ }).waitFor();
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.url()).not.toContain('in=');
    await hosts.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'az1-rack01-node01' }).waitFor();
    expectQuiet(observed);
  });

  test('the class of the map is chosen, and the rows of the table are walked', async () => {
    const { page } = await open('/');
    await page.getByRole('listbox', { name: map }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('listbox', { name: /by use of MEMORY_MB/ }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('listbox', { name: map }).waitFor();
    await page.goto(`${gateway.url}/hosts`);
    await page.getByRole('link', { name: 'az1-rack01-node01' }).focus();
    for (const name of ['az1-rack01-node02', 'az1-rack01-node03']) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(name);
    }
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('az2-rack10-node10');
  });

  test('keys can be switched off, and do nothing in fields', async () => {
    const { page } = await open('/hosts');
    await page.getByLabel('Name contains').fill('');
    await page.getByLabel('Name contains').press('g');
    await page.getByLabel('Name contains').press('o');
    await expect.poll(() => page.url()).toContain('/hosts?q=go');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    expect(page.url()).toContain('/hosts?q=go');
  });
});

describe('by mouse', () => {
  test('from the cloud to a rack and a host, and back by the history', async () => {
    const observed = await open('/');
    const { page } = observed;
    await page.getByRole('button', { name: 'az2' }).click();
    await page.getByLabel('Go into').selectOption('az2-rack04');
    await expect.poll(() => page.url()).toContain('in=az2&in=az2-rack04');
    await mapIsDrawn(page);
    await page.getByRole('listbox', { name: map }).click({ position: { x: 20, y: 60 } });
    await page.getByRole('heading', { level: 1, name: /^az2-rack04-node/ }).waitFor();
    await page.goBack();
    await page.getByRole('listbox', { name: map }).waitFor();
    expect(page.url()).toContain('in=az2&in=az2-rack04');
    expectQuiet(observed);
  });

  test('the alarms lead to the hosts that they count', async () => {
    const { page } = await open('/');
    await page.getByRole('link', { name: '2 over capacity' }).click();
    await page.getByText('2 of 200 hosts, the worst first').waitFor();
    await page.getByRole('link', { name: 'az1-rack02-node05' }).click();
    await page.getByRole('heading', { level: 1, name: 'az1-rack02-node05' }).waitFor();
  });

  test('a typed text filters the table, and what is shown is saved as CSV', async () => {
    const { page } = await open('/hosts');
    await page.getByLabel('Name contains').pressSequentially('rack02-node05');
    await page.getByText('2 of 200 hosts').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'hosts as CSV' }).click()]);
    expect(download.suggestedFilename()).toBe('hosts.csv');
    const text = readFileSync(await download.path(), 'utf8');
    expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['\ufeffname', 'az1-rack02-node05', 'az2-rack02-node05', '']);
  });
});

describe('a person signs in', () => {
  let keystone: FakeKeystone;
  let guarded: RunningServer;
  beforeAll(async () => {
    keystone = await startFakeKeystone();
    keystone.tokens.set('a-token-of-ann', { roles: [{ id: '1', name: 'admin' }] });
    keystone.onLogIn = (_request, response) => {
      const body = keystone.logIns.at(-1) ?? '';
      if (!body.includes('"ann"')) return false;
      if (!body.includes('"right"')) response.writeHead(401).end('{}');
      else {
        const token = { expires_at: inSeconds(3600), user: { name: 'ann' }, project: { name: 'web' }, roles: [{ name: 'admin' }] };
        response.writeHead(201, { 'x-subject-token': 'a-token-of-ann' }).end(JSON.stringify({ token }));
      }
      return true;
    };
    guarded = await startServer({ settings: readSettings(settingsFor(keystone)).settings, db: full.db, log });
  });
  afterAll(async () => {
    await guarded?.close();
    await keystone?.close();
  });

  test('at Keystone, over the page of a deep link, which is there afterwards; the token stays in the tab', async () => {
    const { page } = await open('/hosts?over=1', guarded.url);
    await page.getByLabel('User').fill('ann');
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('Project', { exact: true }).fill('web');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Keystone refuses this user, password or project.').waitFor();
    await page.getByLabel('Password').fill('right');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('2 of 200 hosts').waitFor();
    expect(page.url()).toBe(`${guarded.url}/hosts?over=1`);
    await page.reload();
    await page.getByText('2 of 200 hosts').waitFor();
    const state = await page.context().storageState();
    expect(JSON.stringify(state)).not.toContain('a-token-of-ann');
  });

  test('with an invalid token, and is asked again', async () => {
    const { page } = await open('/', guarded.url);
    await page.getByRole('button', { name: 'Paste a token' }).click();
    await page.getByLabel('Token').fill('no such token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The token is invalid or has expired.').waitFor();
  });
});

describe('when something is missing', () => {
  test('an empty ledger says how to fill it', async () => {
    const bare = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: empty.db, log });
    const observed = await open('/', bare.url);
    await observed.page.getByRole('heading', { name: 'The ledger is empty' }).waitFor();
    await observed.page.goto(`${bare.url}/hosts`);
    await observed.page.getByRole('heading', { name: 'There are no hosts yet' }).waitFor();
    expectQuiet(observed);
    await observed.page.close();
    await bare.close();
  });

  test('a lost gateway leaves the old numbers in view, and the page says since when', async () => {
    const short = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: full.db, log });
    const { page } = await open('/', short.url);
    await page.getByText('Fullest by VCPU').waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('button', { name: 'MEMORY_MB' }).click();
    await page.getByText(/lost since \d\d:\d\d:\d\d/).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(!\)/);
    expect(await page.getByRole('button', { name: /^VCPU/ }).isVisible()).toBe(true);
    await page.unroute('**/graphql');
    await page.getByRole('listbox', { name: /by use of MEMORY_MB/ }).waitFor();
    await expect.poll(() => page.title()).not.toMatch(/^\(!\)/);
    await page.close();
    await short.close();
  });

  test('an answer of a proxy that is not JSON counts as a lost gateway', async () => {
    const { page } = await observe(browser, gateway.url);
    await page.route('**/graphql', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }));
    await page.goto(`${gateway.url}/projects`);
    await page.getByRole('heading', { name: 'The gateway does not answer' }).waitFor();
  });
});

describe('the first page', () => {
  /** Without the table of zones, which needs another map once somebody looks at it. */
  const height = 500;
  const built = fileURLToPath(new URL('../../../dist/pages/dashboard', import.meta.url));
  /** The files that its script imports, and their styles. */
  const first = new Set<string>();
  beforeAll(() => {
    const manifest: Record<string, { file: string; isEntry?: boolean; css?: string[]; imports?: string[] }> = JSON.parse(
      readFileSync(`${built}/manifest.json`, 'utf8'),
    );
    const add = (name: string) => {
      const { file = '', css = [], imports = [] } = manifest[name] ?? {};
      for (const path of [file, ...css]) first.add(`/${path}`);
      imports.forEach(add);
    };
    add('index.html');
  });

  test('needs at most 120 kB, compressed, and sends at most five queries', async () => {
    const { page, operations } = await observe(browser, gateway.url, { height });
    // What the page asks again later does not count: a busy machine may not be done by then.
    await page.addInitScript('setInterval = () => 0');
    const served: string[] = [];
    // Without the chunks of the other pages, which are loaded later.
    await page.route('**/assets/*', (route) => {
      const path = new URL(route.request().url()).pathname;
      if (!first.has(path)) return route.abort();
      served.push(path);
      return route.continue();
    });
    await page.goto(`${gateway.url}/`);
    await page.getByText('Fullest by VCPU').waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = served.reduce((sum, path) => sum + gzipSync(readFileSync(`${built}${path}`), { level: 9 }).length, 0);
    expect(new Set(served)).toEqual(first);
    expect(served.length).toBeGreaterThan(2);
    expect(bytes).toBeLessThanOrEqual(120 * 1024);
    expect(operations.slice(5)).toEqual([]);
    expect(new Set(operations).size).toBe(operations.length);
  });

  test('asks how to sign in beside its scripts, and for the map and the totals before anything is drawn', async () => {
    const { page, requests, operations } = await observe(browser, gateway.url, { height });
    await page.goto(`${gateway.url}/?class=MEMORY_MB`);
    await page.getByText('Fullest by MEMORY_MB').waitFor();
    expect(operations.slice(0, 2)).toEqual(['CloudMap', 'Overview']);
    const paths = requests.map((url) => new URL(url).pathname);
    expect(paths.filter((path) => path === '/session')).toHaveLength(1);
    expect(await page.evaluate("performance.getEntriesByName(location.origin + '/session')[0].initiatorType")).toBe('link');
    expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(1);
  });
});
