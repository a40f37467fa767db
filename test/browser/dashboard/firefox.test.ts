// What people do most, in Firefox: the other tests of the dashboard use Chromium.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';
import { mapIsDrawn } from './map-drawn.ts';

const { ask, open } = useDemoGateway({}, 'firefox');
const host = 'az1-rack09-node01';

/** Each page, and words that are there only once it has its answer. */
const pages: readonly (readonly [path: string, words: string | RegExp])[] = [
  ['/', 'Fullest by VCPU'],
  ['/?in=az1&in=az1-rack02&class=MEMORY_MB', 'by use of MEMORY_MB'],
  ['/hosts?sort=-VCPU.use', 'az1-rack02-node05'],
  [`/providers/${host}`, `${host}_numa0`],
  ['/consumers', '2,000 consumers'],
  ['/projects', 'video'],
  ['/projects/video', 'VCPU'],
  ['/trends', 'Trends of the whole cloud'],
  ['/fit?r=VCPU:4,MEMORY_MB:8192', 'By zone and rack'],
  ['/events', 'replace allocations'],
  ['/search?q=az1-rack09', host],
];

test.each(pages)('%s opens, and nothing fails', async (path, words) => {
  const observed = await open(path);
  await observed.page.locator('main').getByText(words).filter({ visible: true }).first().waitFor();
  expectQuiet(observed);
});

test('a host is found by keys, and its inventory is changed and put back', async () => {
  const { page } = await open('/');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(host);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: host, exact: true }).waitFor();
  const reserved = async () =>
    (await ask(`{ resourceProvider(name: "${host}") { inventory(resourceClass: "DISK_GB") { reserved } } }`)).resourceProvider.inventory
      .reserved;
  const before = await reserved();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: `Edit DISK_GB of ${host}` }).click();
  // Keys, not `fill`: over WebDriver BiDi the driver sets `value` by script, which appends to a number and which React does not notice.
  const field = dialog.getByLabel('Reserved (GiB)');
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(String(before + 7));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Change 1 inventory' }).click();
  await expect.poll(reserved).toBe(before + 7);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: `Undo: reserved DISK_GB to ${before + 7} GiB on ${host}` }).click();
  await expect.poll(reserved).toBe(before);
});

describe('the map', () => {
  const listbox = (page: Page) => page.getByRole('listbox', { name: /^Hosts by use of VCPU/ });

  test('is walked by keys, and leads to a host and back', async () => {
    const observed = await open('/');
    const { page } = observed;
    await mapIsDrawn(page);
    await listbox(page).focus();
    await page.keyboard.press('ArrowRight');
    const chosen = () => new URL(page.url()).searchParams.get('host') ?? '';
    await expect.poll(chosen).toMatch(/^az/);
    const name = chosen();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.goBack();
    await listbox(page).waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('zoom')).not.toBeNull();
    expectQuiet(observed);
  });

  test('says what the host under the pointer has, and follows what is written', async () => {
    const { page } = await open('/?in=az1&in=az1-rack01');
    await page.getByRole('button', { name: '● live' }).waitFor();
    await mapIsDrawn(page);
    const box = await page.locator('canvas').first().boundingBox();
    if (!box) throw new Error('there is no map');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const option = page.locator('#map-host');
    // The first host is there before the pointer.
    await expect.poll(() => option.textContent()).toMatch(/^az1-rack01-node(?!01)\d\d: /);
    const pointed = (await option.textContent())?.split(':')[0] ?? '';
    const used = async () =>
      (await ask(`{ resourceProvider(name: "${pointed}") { uuid treeInventory(resourceClass: "VCPU") { used } } }`)).resourceProvider;
    const { uuid, treeInventory } = await used();
    const hold = { allocations: [{ resourceProvider: uuid, resources: [{ resourceClass: 'VCPU', amount: 1 }] }] };
    const consumer = { consumer: crypto.randomUUID(), expect: { isNew: true }, hold, project: 'p', user: 'u', consumerType: 'INSTANCE' };
    await ask('mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }', {
      input: { consumers: [consumer] },
    });
    await expect.poll(() => option.textContent()).toContain(`${treeInventory.used + 1} of `);
  });
});
