// Each page of the dashboard over the demo cloud: from its deep link, at every size, in both themes.
import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { dashboardPages } from '../../../src/web/dashboard-pages.generated.ts';
import { useDemo } from '../../support/demo.ts';
import { expectQuiet, type Observed, observe, seriousViolations, spoken, startBrowser } from '../observed.ts';

const database = useDemo();
let browser: Browser;
let gateway: RunningServer;
/** A consumer and a project of the demo cloud. */
const some = { consumer: '', project: '' };

beforeAll(async () => {
  browser = await startBrowser();
  const { log } = createLogger({ level: 'warn' });
  gateway = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: database.db, log });
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query: '{ consumers(first: 1) { nodes { uuid project { externalId } } } }' }),
  });
  const { data } = (await response.json()) as { data: { consumers: { nodes: { uuid: string; project: { externalId: string } }[] } } };
  const [consumer] = data.consumers.nodes;
  some.consumer = consumer?.uuid ?? '';
  some.project = consumer?.project.externalId ?? '';
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

/** Each page with its address, and words that are there only once it has its answer. */
const pages: readonly (readonly [name: string, path: () => string, words: string | RegExp])[] = [
  ['the overview', () => '/', 'Fullest by VCPU'],
  ['the map inside of a rack', () => '/?in=az1&in=az1-rack02&class=MEMORY_MB', 'by use of MEMORY_MB'],
  ['the hosts', () => '/hosts?sort=-VCPU.use', 'az1-rack02-node05'],
  ['the hosts over capacity', () => '/hosts?over=1', '2 of 200 hosts'],
  ['a provider', () => '/providers/az1-rack09-node01', 'az1-rack09-node01_numa0'],
  ['the consumers', () => '/consumers', /2,?000/],
  ['a consumer', () => `/consumers/${some.consumer}`, some.project],
  ['the projects', () => '/projects', /\d+ consumers|VCPU/],
  ['a project', () => `/projects/${encodeURIComponent(some.project)}`, 'VCPU'],
  ['the trends', () => '/trends', 'Trends of the whole cloud'],
  ['what fits', () => '/fit?r=VCPU:4,MEMORY_MB:8192', 'fit'],
  ['why nothing fits', () => '/fit?r=VCPU:4,VGPU:900', 'VGPU'],
  ['the history', () => '/events', 'replace allocations'],
  ['the bridge', () => '/bridge', 'There is no bridge'],
  ['a search', () => '/search?q=az1-rack09', 'az1-rack09-node01'],
  ['an address without a page', () => '/hosts/nowhere', 'There is no page at this address'],
];

test('every page of the dashboard is among them', () => {
  const opened = pages.map(([, path]) => path().split(/[/?]/)[1]);
  expect(opened).toEqual(expect.arrayContaining([...dashboardPages]));
});

describe.each(pages)('%s', (_name, path, words) => {
  let observed: Observed;
  /** Words that somebody sees; those in closed menus are not. */
  const isShown = () => observed.page.locator('main').getByText(words).filter({ visible: true }).first().waitFor();
  beforeAll(async () => {
    observed = await observe(browser, gateway.url);
    await observed.page.goto(`${gateway.url}${path()}`);
    await isShown();
  });
  afterAll(() => observed?.page.context().close());

  test('opens from its deep link and after a reload, without other requests or errors', async () => {
    expect(await observed.page.title()).toMatch(/ · Placement$/);
    const address = observed.page.url();
    await observed.page.reload();
    await isShown();
    expect(observed.page.url()).toBe(address);
    await observed.page.waitForLoadState('networkidle');
    expectQuiet(observed);
  });

  test('is read out with a heading, and a name for everything that can be used or gone to', async () => {
    const { page } = observed;
    // A page can say these words before the answer that its heading needs.
    await page.locator('main').getByRole('heading').first().waitFor();
    const said = await spoken(page);
    expect(said.filter(({ name }) => name === '')).toEqual([]);
    expect(said.filter(({ role }) => role === 'heading').length).toBeGreaterThan(0);
    // Fields and buttons of one page are told apart by their names alone; links of one name may lead to one place.
    // The browser names the buttons that it adds to fields of moments, all alike.
    const controls = said
      .filter(({ role, name }) => ['button', 'textbox', 'combobox', 'checkbox'].includes(role) && !name.startsWith('Show local date'))
      .map(({ role, name }) => `${role} ${name}`);
    expect(controls.filter((one, place) => controls.indexOf(one) !== place)).toEqual([]);
  });

  test('is readable by everyone on a phone, a small phone and a screen, light and dark', async () => {
    const { page } = observed;
    for (const width of [360, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // The styles of 390 pixels are those of 360, where colours, which take longest, are examined.
      const looks = width === 390 ? [['light', 'without colours'] as const] : [['light', 'all'] as const, ['dark', 'colours'] as const];
      for (const [colorScheme, what] of looks) {
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, ...(await seriousViolations(page, what))]).toEqual([width, colorScheme]);
      }
      expect([width, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([width, 0]);
    }
  });
});

test('a dark page differs from a light one in its colours alone, for which it is examined', () => {
  const sources = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(css|tsx?)$/.test(name) && !name.startsWith('explorer/'),
  );
  // By `light-dark()`, which gives colours, and on the map, which reads these again when the theme changes.
  expect(sources.filter((name) => readFileSync(`src/ui/${name}`, 'utf8').includes('prefers-color-scheme'))).toEqual([
    'dashboard/map/surroundings.ts',
  ]);
});
