// The map of the cloud in use: coming closer by wheel, fingers, keys and buttons, cards, cells by capacity, and names that others chose.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';
import { mapIsDrawn } from './map-drawn.ts';

const { ask, open } = useDemoGateway();

const hosts = (page: Page) => page.getByRole('listbox', { name: /^Hosts by use of/ });
const host = (page: Page) => page.locator('#map-host');
const nearer = (page: Page) => page.getByRole('button', { name: 'Zoom in', exact: true });
const wholeMap = (page: Page) => page.getByRole('button', { name: 'Whole map' });
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** Where the map is in the window, once it can be used. */
async function boxOf(page: Page) {
  await mapIsDrawn(page);
  const box = await hosts(page).boundingBox();
  if (!box) throw new Error('no map');
  return box;
}

/** Points at the middle of the map, and returns its words. */
async function inTheMiddle(page: Page): Promise<string | null> {
  const box = await boxOf(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return host(page).textContent();
}

/** The host that the words are about; they get longer once all classes are known. */
const named = async (page: Page) => (await host(page).textContent())?.split(':')[0];

describe('zooming in', () => {
  test('by keys keeps the chosen host in the middle, is in the address after a moment, and Escape or the back button leads to the whole map', async () => {
    const observed = await open('/?host=az1-rack06-node03');
    const { page } = observed;
    await mapIsDrawn(page);
    await hosts(page).focus();
    for (const key of ['+', '+', '+']) await page.keyboard.press(key);
    await expect.poll(() => Number(parameter(page, 'zoom'))).toBeGreaterThan(2);
    expect(parameter(page, 'at')).toMatch(/^az1-rack/);
    await page.keyboard.press('End');
    await page.getByRole('option', { name: /^az2-rack10-node10:/ }).waitFor();
    await expect.poll(() => parameter(page, 'at')).toMatch(/^az2-rack/);
    await page.keyboard.press('Escape');
    await expect.poll(() => parameter(page, 'zoom')).toBe(null);
    await nearer(page).click();
    await expect.poll(() => parameter(page, 'zoom')).toBe('1.5');
    await page.goBack();
    await expect.poll(() => parameter(page, 'zoom')).toBe(null);
    await wholeMap(page).waitFor({ state: 'detached' });
    expectQuiet(observed);
  });

  test('by wheel keeps the host under the pointer there; without Ctrl the wheel scrolls the page', async () => {
    const { page } = await open('/');
    const box = await boxOf(page);
    // While nothing is pointed at.
    const first = await named(page);
    await page.mouse.move(box.x + 300, box.y + 100);
    await expect.poll(() => named(page)).not.toBe(first);
    const pointed = await named(page);
    await page.mouse.wheel(0, 40);
    await expect.poll(() => page.evaluate('window.scrollY')).toBe(40);
    expect(await wholeMap(page).count()).toBe(0);
    await page.mouse.wheel(0, -40);
    await expect.poll(() => page.evaluate('window.scrollY')).toBe(0);
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, -60);
    await page.keyboard.up('Control');
    await wholeMap(page).waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => named(page)).toBe(first);
    await page.mouse.move(box.x + 301, box.y + 100);
    await expect.poll(() => named(page)).toBe(pointed);
    // Dragging moves what is seen, and opens nothing.
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(box.x + 301, box.y + 100);
    await expect.poll(() => named(page)).not.toBe(pointed);
    expect(new URL(page.url()).pathname).toBe('/');
    await wholeMap(page).click();
    await expect.poll(() => parameter(page, 'zoom')).toBe(null);
  });

  test('works with two fingers, which do not zoom the page', async () => {
    const { page } = await open('/');
    const box = await boxOf(page);
    const session = await page.context().newCDPSession(page);
    const fingers = (apart: number) => [
      { x: box.x + 400 - apart, y: box.y + 120 },
      { x: box.x + 400 + apart, y: box.y + 120 },
    ];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) });
    for (const apart of [50, 70, 90]) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => Number(parameter(page, 'zoom'))).toBeGreaterThan(2);
    expect(await page.evaluate('window.visualViewport.scale')).toBe(1);
  });

  test('is in the link: it shows the same hosts to others', async () => {
    const { page } = await open('/?zoom=2.4&at=az2-rack04-node05');
    await wholeMap(page).waitFor();
    await expect.poll(() => inTheMiddle(page)).toMatch(/^az2-rack04-node/);
    await page.reload();
    await page.mouse.move(0, 0);
    await wholeMap(page).waitFor();
    await expect.poll(() => inTheMiddle(page)).toMatch(/^az2-rack04-node/);
  });
});

test('on a phone a tap on a group goes into it, and a tap on a host opens it', async () => {
  const { page } = await open('/');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 3, mobile: true });
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const tap = async (x: number, y: number) => {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await mapIsDrawn(page);
  await hosts(page).scrollIntoViewIfNeeded();
  const box = await boxOf(page);
  await tap(box.x + 20, box.y + 60);
  await page.getByRole('heading', { level: 1, name: /^az1-rack/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/providers\//);
});

test('hosts near enough are cards with all of their classes, at the cost of one more query', async () => {
  const observed = await open('/?in=az1&in=az1-rack02');
  const { page, operations } = observed;
  await hosts(page).waitFor();
  await expect.poll(() => operations.filter((name) => name === 'CloudMap').length).toBe(2);
  // The other classes are there by then.
  await page.getByRole('button', { name: /^MEMORY_MB/ }).click();
  await page.getByRole('listbox', { name: /by use of MEMORY_MB/ }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(2);
  expectQuiet(observed);
});

test('if the query for all classes fails, the map stays in view as it was', async () => {
  // Of a height without the table of zones, which needs all classes.
  const { page, operations } = await open('/', { height: 500 });
  await hosts(page).waitFor();
  await page.waitForLoadState('networkidle');
  await page.route('**/graphql', (route) =>
    route.request().postDataJSON()?.operationName === 'CloudMap' ? route.abort() : route.continue(),
  );
  await page.getByLabel('Go into').selectOption('az1');
  await expect.poll(() => operations.filter((name) => name === 'CloudMap').length).toBeGreaterThan(3);
  await page.getByText(/^As of [\d:]+/).waitFor();
  await hosts(page).waitFor();
  await page.unroute('**/graphql');
  await page.getByText(/^As of [\d:]+/).waitFor({ state: 'detached' });
});

test('cells by capacity show hosts that have some, can be walked by keys, and stay in the address', async () => {
  const observed = await open('/');
  const { page } = observed;
  await page.getByLabel('cells').selectOption('by capacity');
  await expect.poll(() => parameter(page, 'layout')).toBe('size');
  await page.getByRole('button', { name: /^VGPU/ }).click();
  const { resourceProviders } = await ask(
    '{ resourceProviders(first: 0, filter: { isRoot: true, isSharing: false, resourceClasses: "VGPU", scope: TREE }) { totalCount } }',
  );
  await expect.poll(() => host(page).getAttribute('aria-setsize')).toBe(String(resourceProviders.totalCount));
  await hosts(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: /% of VGPU used/ }).waitFor();
  await page.reload();
  await expect.poll(() => host(page).getAttribute('aria-setsize')).toBe(String(resourceProviders.totalCount));
  expectQuiet(observed);
});

test('names that others chose are only text on the map, on cards and in its words', async () => {
  const names = [
    '<img src=x onerror="document.title=1">',
    '"]; x[label="y',
    "=cmd|' /C calc'!A0",
    'safe\u202egnp.exe',
    '😀'.repeat(50),
    '../../events',
  ];
  for (const name of names) {
    const { createResourceProvider } = await ask(
      'mutation ($name: String!) { createResourceProvider(input: { name: $name }) { resourceProvider { uuid } userErrors { message } } }',
      { name },
    );
    expect(createResourceProvider.userErrors).toEqual([]);
  }
  for (const name of names) {
    const observed = await open(`/?by=none&zoom=4&at=${encodeURIComponent(name)}&host=${encodeURIComponent(name)}`);
    await expect.poll(() => host(observed.page).textContent()).toBe(`${name.replace('\u202e', '\\u{202e}')}: has no VCPU`);
    expect(await observed.page.title()).toMatch(/Overview · Placement$/);
    expectQuiet(observed);
    await observed.page.close();
  }
});
