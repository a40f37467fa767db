// The explorer as its users see it: built pages, a real browser, and the real gateway with the demo cloud. What the examples answer is in test/ui/explorer.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { exampleNamed, examples } from '../support/examples.ts';
import { tokenFor, useTokensFile } from '../support/tokens-file.ts';
import { useDemoGateway } from './dashboard/demo-gateway.ts';
import { expectQuiet, type Observed, seriousViolations } from './observed.ts';

const { open: openPage, url, db, ask } = useDemoGateway();
const tokensFile = useTokensFile();

const editor = '.graphiql-query-editor';
const response = '.graphiql-response';

async function open(path = '/explorer'): Promise<Observed> {
  const observed = await openPage(path);
  await observed.page.locator(`${editor} .view-lines`).waitFor();
  // A moment after the editors are there; then the cursor is in that of the query.
  if (path === '/explorer') await expect.poll(() => shownIn(observed.page, editor)).toContain('query Hypervisors');
  return observed;
}

/** The text of an editor as the person sees it; Monaco draws blanks as no-break spaces and only the lines in view. */
async function shownIn(page: Page, place: string): Promise<string> {
  return (await page.locator(`${place} .view-lines`).first().innerText()).replaceAll('\u00a0', ' ');
}

const run = (page: Page) => page.getByRole('button', { name: /Execute query/ }).click();
const show = (page: Page, panel: string) => page.getByRole('button', { name: `Show ${panel}` }).click();
const linked = (document: Record<string, string>) => `/explorer#${new URLSearchParams(document)}`;

/** Of the files of the page that were asked for. */
function compressedBytes(requests: readonly string[]): number {
  const built = fileURLToPath(new URL('../../dist/pages', import.meta.url));
  const files = new Set(requests.map((request) => new URL(request).pathname).filter((path) => path.startsWith('/explorer/assets/')));
  expect(files.size).toBeGreaterThan(3);
  return [...files].reduce((sum, path) => sum + readFileSync(`${built}${path}.br`).length, 0);
}

/** Which the editor's workers write when they start. */
const isStart = (line: string) => line.startsWith('info setup-workers');

describe('the explorer', () => {
  test('opens the first example in at most 1.7 MB, runs it with the token of the session, asks no other host, and reports no error', async () => {
    const observed = await open();
    const { page, operations, requests, complaints } = observed;
    expect(operations).not.toContain('Hypervisors');
    await run(page);
    await page.locator(response).getByText('"totalCount"').waitFor();
    expect(operations).toContain('Hypervisors');
    expect(compressedBytes(requests)).toBeLessThanOrEqual(1.7 * 1024 * 1024);
    expect(requests.some((request) => request.includes('worker'))).toBe(true);
    expectQuiet({
      ...observed,
      requests: requests.filter((request) => !request.startsWith('data:')),
      complaints: complaints.filter((line) => !isStart(line)),
    });
  });

  test('has all examples as a menu, by user and by noun, and opens one with values of this cloud, with keys only', async () => {
    const { page } = await open();
    const menu = page.getByRole('region', { name: 'Examples' });
    expect(await menu.getByRole('link').allInnerTexts()).toHaveLength(examples.length);
    await menu.getByRole('button', { name: 'By noun' }).press('Enter');
    await menu.getByRole('region', { name: 'aggregates' }).getByRole('link', { name: 'Zones and racks' }).waitFor();
    await menu.getByRole('searchbox').pressSequentially('everything in it');
    await menu.getByRole('region', { name: 'inventories' }).getByRole('link', { name: 'A host with everything in it' }).press('Enter');
    await expect.poll(() => shownIn(page, editor)).toContain('query HostTree');
    const name = /"name": "(.+)"/.exec(await shownIn(page, '.graphiql-editor-tool'))?.[1] ?? '';
    const { resourceProvider } = await ask('query ($name: String!) { resourceProvider(name: $name) { name } }', { name });
    expect(resourceProvider).toEqual({ name });
    await page.keyboard.press('Control+Enter');
    await page.locator(response).getByText(`"${name}"`, { exact: true }).first().waitFor();
    await expect.poll(() => page.url()).toBe(`${url()}/explorer#example=host-tree`);
  });

  test('opens the content of a link beside what was there, and sends it only on request', async () => {
    const { page, operations } = await open();
    await page.locator(editor).click();
    await page.keyboard.type('# mine ');
    const query = 'query Other { __typename } query Linked($name: String!) { resourceProvider(name: $name) { name } }';
    await page.goto(`${url()}${linked({ query, variables: '{"name": "az2-rack01-node01"}', operationName: 'Linked' })}`);
    await expect.poll(() => shownIn(page, editor)).toContain('query Linked');
    expect(await page.getByRole('tab').count()).toBe(2);
    expect(operations).not.toContain('Linked');
    await page.keyboard.press('Control+Enter');
    await page.locator(response).getByText('"az2-rack01-node01"').waitFor();
    expect(operations.filter((name) => name === 'Other' || name === 'Linked')).toEqual(['Linked']);
  });

  test('follows a link even if the address was set to what is in view before the link is noticed', async () => {
    const { page } = await open();
    await page.evaluate("const { href } = location; location.hash = '#example=who-am-i'; history.replaceState(null, '', href);");
    await expect.poll(() => shownIn(page, editor)).toContain('query WhoAmI');
  });

  test('keeps its address a link to what is in view, and survives a reload without another tab', async () => {
    const { page } = await open(`/explorer?${new URLSearchParams({ query: '{ serviceInfo { version } }' })}`);
    await expect.poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('query')).toBe('{ serviceInfo { version } }');
    await expect.poll(() => page.evaluate("localStorage.getItem('graphiql:tabState')")).toContain('serviceInfo');
    await page.reload();
    await expect.poll(() => shownIn(page, editor)).toContain('serviceInfo');
    expect(await page.getByRole('tab').count()).toBe(1);
  });

  test('keeps a token out of addresses and of what the browser stores, even one that was typed as a header', async () => {
    const { page, requests } = await open();
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden)').click();
    await page.keyboard.insertText('{"X-Auth-Token": "admin", "X-Secret": "typed-by-hand"}');
    await run(page);
    await page.locator(response).getByText('"totalCount"').waitFor();
    await expect.poll(async () => JSON.stringify(await page.context().storageState())).toContain('graphiql:queries');
    expect(JSON.stringify(await page.context().storageState())).not.toContain('typed-by-hand');
    expect([page.url(), ...requests].filter((address) => /typed-by-hand|admin/.test(address))).toEqual([]);
  });

  test('reaches the schema as documentation, and searches it', async () => {
    const { page } = await open();
    await show(page, 'Documentation Explorer');
    const documentation = page.locator('.graphiql-doc-explorer');
    await documentation.getByRole('combobox').fill('allocationCandidates');
    await page
      .getByRole('option', { name: /allocationCandidates/ })
      .first()
      .click();
    await documentation.getByText('Searches for ways to serve a request now').waitFor();
  });
});

describe('a subscription', () => {
  test('shows messages as they come, continues after a restart of the gateway, and can be stopped', async () => {
    const start = (port: string) =>
      startServer({ settings: readSettings({ PLACEMENT_PORT: port }).settings, db: db(), log: createLogger({ level: 'fatal' }).log });
    const first = await start('0');
    const { page } = await openPage('/explorer#example=watch-writes', { origin: first.url });
    await expect.poll(() => shownIn(page, editor).catch(() => '')).toContain('subscription WatchWrites');
    await run(page);
    await expect.poll(() => shownIn(page, response)).toContain('"messageCount": 1');
    await first.close();
    await expect.poll(() => shownIn(page, response)).toMatch(/"state": "lost at [\d:]+, trying again"/);
    // Written while nobody could tell the page.
    await ask(exampleNamed('report-service').text);
    const second = await start(new URL(first.url).port);
    await expect.poll(() => shownIn(page, response)).toMatch(/"state": "live again since [\d:]+, from the\s+last cursor"/);
    await expect.poll(() => shownIn(page, response)).toContain('REPORT_SERVICE');
    await page.getByRole('button', { name: /Stop query/ }).click();
    await expect.poll(() => shownIn(page, response)).toMatch(/"state": "stopped at/);
    await page.close();
    await second.close();
  });
});

test('opening another example ends a subscription that is running', async () => {
  const { page } = await open('/explorer#example=watch-writes');
  await expect.poll(() => shownIn(page, editor)).toContain('subscription WatchWrites');
  const [socket] = await Promise.all([page.waitForEvent('websocket'), run(page)]);
  await expect.poll(() => shownIn(page, response)).toContain('"state": "live since');
  await page.getByRole('region', { name: 'Examples' }).getByRole('link', { name: 'Zones and racks' }).first().click();
  await expect.poll(() => shownIn(page, editor)).toContain('query Zones');
  await expect.poll(() => socket.isClosed()).toBe(true);
  await run(page);
  await page.locator(response).getByText('"aggregates"').first().waitFor();
});

describe('the panels', () => {
  test('show the operation as code without a token, and save a list of its answer as CSV and as JSON', async () => {
    const { page } = await open('/explorer#example=host-tree');
    await expect.poll(() => shownIn(page, editor)).toContain('query HostTree');
    await show(page, 'Code');
    const panel = page.getByRole('region', { name: 'Code', exact: true });
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await panel.getByRole('button', { name: language }).click();
      const text = await panel.getByLabel(`Code for ${language}`).inputValue();
      for (const part of ['query HostTree', 'PLACEMENT_TOKEN', `${url()}/graphql`]) expect(text).toContain(part);
      expect(text).not.toContain('admin');
    }
    await run(page);
    await page.locator(response).getByText('"resourceProvider"').first().waitFor();
    await show(page, 'Answer as CSV or JSON');
    const files = page.getByRole('region', { name: 'Answer as a file' });
    const list = await files.getByLabel('List').inputValue();
    const [csv] = await Promise.all([page.waitForEvent('download'), files.getByRole('button', { name: 'CSV' }).click()]);
    const rows: Record<string, string>[] = parse(readFileSync(await csv.path()), { bom: true, columns: true });
    const [json] = await Promise.all([page.waitForEvent('download'), files.getByRole('button', { name: 'JSON', exact: true }).click()]);
    const objects: Record<string, unknown>[] = JSON.parse(readFileSync(await json.path(), 'utf8'));
    expect([csv.suggestedFilename(), json.suggestedFilename()]).toEqual([`HostTree_${list}.csv`, `HostTree_${list}.json`]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBe(objects.length);
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(objects[0] ?? {}));
  });
});

test('everyone can read and use it, light and dark, on a phone and on a screen', async () => {
  const { page } = await open();
  await run(page);
  await page.locator(response).getByText('"totalCount"').waitFor();
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const panel of ['Code', 'Answer as CSV or JSON', 'Documentation Explorer', 'History', 'Examples']) {
      await show(page, panel);
      expect([width, panel, ...(await seriousViolations(page))]).toEqual([width, panel]);
      expect([width, panel, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([width, panel, 0]);
    }
  }
});

/** Where a token of the language has too little contrast on what can be drawn behind it. */
const lowContrasts = `(() => {
  const parts = (colour) => { const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number); return { rgb: [r, g, b], alpha }; };
  const over = (top, below) => top.rgb.map((value, i) => value * top.alpha + below[i] * (1 - top.alpha));
  const light = (rgb) => rgb.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    const below = element.parentElement ? behind(element.parentElement) : [255, 255, 255];
    return over(parts(getComputedStyle(element).backgroundColor), below);
  };
  const highlights = ['plain', 'selected-text', 'selectionHighlight', 'wordHighlight', 'wordHighlightStrong', 'wordHighlightText', 'bracket-match', 'findMatch', 'currentFindMatch', 'findScope', 'hoverHighlight', 'rangeHighlight', 'symbolHighlight'];
  const low = new Map();
  for (const editor of document.querySelectorAll('.graphiql-query-editor .monaco-editor, .graphiql-editor-tool .monaco-editor, .graphiql-response .monaco-editor')) {
    const tokens = new Map([...editor.querySelectorAll('.view-line span span')].map((span) => [span.className, getComputedStyle(span).color]));
    for (const [token, colour] of tokens) for (const focus of ['', 'focused']) for (const highlight of highlights) {
      const place = editor.appendChild(document.createElement('div'));
      place.className = focus;
      const drawn = place.appendChild(document.createElement('div'));
      drawn.className = highlight;
      const [a, b] = [light(parts(colour).rgb), light(behind(drawn))];
      place.remove();
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) low.set(token + highlight + focus, [token, 'on', focus, highlight, contrast.toFixed(2)].join(' '));
    }
  }
  return [...low.values()];
})()`;

test('every word is readable on every highlight, light and dark', async () => {
  const query = [
    '# every kind of token',
    'query Q($name: String! = "az1\\n", $first: Int = 1.5, $on: Boolean = true) @live {',
    '  resourceProviders(first: 10, after: $name) { nodes { ...Line } }',
    '}',
    'fragment Line on ResourceProvider { name generation(at: 0x1F) }',
  ].join('\n');
  const variables = '{"name": "x", "first": 1.5, "on": true, "none": null}';
  const { page } = await open(`/explorer?${new URLSearchParams({ query, variables })}`);
  const word = page.locator(editor).getByText('fragment', { exact: true });
  // As drawn: the cursor in a word, then the word selected.
  const cursor = `${editor} :is(.wordHighlight, .wordHighlightStrong, .wordHighlightText)`;
  await word.click();
  for (const [drawn, choose] of [
    [cursor, async () => {}],
    [`${editor} .selected-text`, () => page.keyboard.press('Control+Shift+ArrowRight')],
  ] as const) {
    await choose();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`body.graphiql-${colorScheme}`).waitFor();
      await page.locator(drawn).first().waitFor();
      expect([colorScheme, drawn, await page.evaluate(lowContrasts)]).toEqual([colorScheme, drawn, []]);
      expect([colorScheme, drawn, ...(await seriousViolations(page))]).toEqual([colorScheme, drawn]);
    }
  }
});

test('the text of the editors grows with the screen like other text, even when the window is resized', async () => {
  const { page } = await open();
  const sizes = () =>
    page.evaluate(`['html', '${editor} .view-line', '${response} .view-lines'].map((place) =>
      Math.round(Number.parseFloat(getComputedStyle(document.querySelector(place)).fontSize)))`);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect.poll(sizes).toEqual([16, 15, 15]);
  await page.setViewportSize({ width: 3840, height: 2160 });
  await expect.poll(sizes).toEqual([26, 24, 24]);
});

test('a person without a token signs in over the page, and the link is there afterwards', async () => {
  const token = await tokenFor(tokensFile, 'joe', ['reader'], { project: 'video' });
  const settings = readSettings({ PLACEMENT_PORT: '0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile }).settings;
  const guarded = await startServer({ settings, db: db(), log: createLogger({ level: 'fatal' }).log });
  const { page } = await openPage('/explorer#example=who-am-i', { origin: guarded.url });
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.poll(() => shownIn(page, editor).catch(() => '')).toContain('query WhoAmI');
  await run(page);
  await page.locator(response).getByText('"joe"').waitFor();
  expect(JSON.stringify(await page.context().storageState())).not.toContain(token);
  await page.close();
  await guarded.close();
});

test('a key opens the queries of a page with their variables, and they run', async () => {
  const { page } = await openPage('/');
  const asked = new Map<string, Record<string, string>[]>();
  for (const [path, words] of [
    ['/hosts', 'az1-rack02-node05'],
    ['/consumers', /^az1-/],
    ['/projects', 'video'],
    ['/fit?r=VCPU:4', 'claimed one after another'],
    ['/events', 'replace allocations'],
    ['/search?q=az1-rack09', 'az1-rack09-node01'],
    ['/providers/az1-rack09-node01', 'az1-rack09-node01_numa0'],
    ['/', 'Fullest by VCPU'],
  ] as const) {
    await page.goto(`${url()}${path}`);
    await page.locator('main').getByText(words).filter({ visible: true }).first().waitFor();
    await page.keyboard.press('y');
    await page.getByRole('dialog').waitFor();
    const links = await page
      .getByRole('dialog')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    asked.set(
      path,
      links.map((link) => Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('#') + 1)))),
    );
    await page.keyboard.press('Escape');
  }
  for (const [path, documents] of asked) {
    expect([path, documents.length > 0]).toEqual([path, true]);
    for (const { query = '', variables = '' } of documents) await ask(query, JSON.parse(variables));
  }
  await page.keyboard.press('y');
  await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).press('Enter');
  await expect.poll(() => shownIn(page, editor).catch(() => '')).toContain('query Overview');
  await page.keyboard.press('Control+Enter');
  await page.locator(response).getByText('"data"').first().waitFor();
});
