// A browser, and what its pages do that a person would not see: requests, failures, complaints on the console.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, firefox, type Page } from 'playwright-core';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type BrowserName = 'headless shell' | 'chromium' | 'firefox';

/** Chromium without its windows. It shows the same pages: all tests of the browser take 212 s with it and 363 s with the whole of Chromium. */
const headlessShell = '/usr/bin/chromium-headless-shell';

function chromiumFor(name: BrowserName): string {
  const path = process.env.CHROMIUM_PATH;
  if (path) return path;
  return name === 'headless shell' && existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium';
}

/** Builds the pages unless they are built, and starts the browser. */
export async function startBrowser(name: BrowserName = 'headless shell'): Promise<Browser> {
  await promisify(execFile)(process.execPath, ['src/ui/build-if-stale.mjs'], { cwd: root });
  // An ordinary Firefox, by WebDriver BiDi: the typings know only the channels of Playwright's own.
  if (name === 'firefox') {
    return firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr' });
  }
  return chromium.launch({
    executablePath: chromiumFor(name),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A request to any other host fails at once, and is seen to fail.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

export interface Observed {
  readonly origin: string;
  readonly page: Page;
  readonly requests: string[];
  /** Names of the GraphQL operations that were sent. */
  readonly operations: string[];
  readonly failures: string[];
  readonly complaints: string[];
}

interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly context?: BrowserContext;
}

export async function observe(browser: Browser, origin: string, options: PageOptions = {}): Promise<Observed> {
  const { width = 1440, height = 900, scheme = 'light', context } = options;
  const page = await (context ?? browser).newPage(
    context ? {} : { viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' },
  );
  const observed: Observed = { origin, page, requests: [], operations: [], failures: [], complaints: [] };
  page.on('request', (request) => {
    observed.requests.push(request.url());
    const name = request.method() === 'POST' && request.url() === `${origin}/graphql` && request.postDataJSON()?.operationName;
    if (name) observed.operations.push(name);
  });
  page.on('requestfailed', (request) => {
    // What a page that was left had asked for is not waited for; the second words are Firefox's.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED' && reason !== 'NS_BINDING_ABORTED') observed.failures.push(`${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    // A stream is no failure: Firefox reports how it begins.
    if (!response.ok() && response.status() !== 101) observed.failures.push(`${response.url()} ${response.status()}`);
  });
  page.on('console', (message) => observed.complaints.push(`${message.type()} ${message.text()}`));
  page.on('pageerror', (error) => observed.complaints.push(String(error)));
  return observed;
}

/** Nothing failed, nobody else was asked, and the console is empty: violations of the policy are written there. */
export function expectQuiet({ origin, requests, failures, complaints }: Observed): void {
  expect(requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('blob:'))).toEqual([]);
  expect(failures).toEqual([]);
  expect(complaints).toEqual([]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const runs = {
  all: { runOnly: standards },
  'without colours': { runOnly: standards, rules: { 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } } },
  /** The rules of these standards that axe files under colours. */
  colours: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

/** What axe finds serious. It runs in a world of its own: the policy of the page allows no foreign script. */
export async function seriousViolations(page: Page, what: keyof typeof runs = 'all'): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: axe, contextId: executionContextId });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, ${JSON.stringify({ ...runs[what], resultTypes: ['violations'] })}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) => id + ': ' + html.slice(0, 160) + ' ' + [...any, ...all].map(({ message }) => message).join('; '))))`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[];
}

/** What people act on or go to by its name. A group is not among them: that of a details element has no name, its summary has one. */
const namedRoles = new Set(
  [
    'button',
    'link',
    'textbox',
    'searchbox',
    'combobox',
    'checkbox',
    'radio',
    'listbox',
    'option',
    'table',
    'dialog',
    'navigation',
    'region',
  ].concat(['heading', 'progressbar', 'image', 'columnheader', 'DisclosureTriangle', 'menuitem', 'tab']),
);

/** What a screen reader says of each of these, role and name, from the tree that the browser gives it. */
export async function spoken(page: Page): Promise<{ readonly role: string; readonly name: string }[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && namedRoles.has(role?.value))
    .map(({ role, name }) => ({ role: role?.value, name: (name?.value ?? '').trim() }));
}
