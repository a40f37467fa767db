// Going into a zone or a rack: everything on the overview is then about its hosts, says so, and agrees with what the gateway sums.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

interface Sum {
  readonly resourceClass: { readonly name: string };
  readonly used: number;
  readonly capacity: number;
}

/** The totals of an aggregate, as the words of bars have them. */
async function totalsOf(name: string): Promise<{ readonly own: string[]; readonly shared: string[] }> {
  const { aggregates } = await ask(
    `query ($name: String!) { aggregates(filter: { names: [$name] }) { nodes { totals {
      own { resourceClass { name } used capacity } shared { resourceClass { name } used capacity } } } } }`,
    { name },
  );
  const words = ({ resourceClass, used, capacity }: Sum) =>
    `${resourceClass.name} ${used.toLocaleString('en')} of ${capacity.toLocaleString('en')}`;
  const { own, shared } = aggregates.nodes[0].totals;
  return { own: own.map(words).toSorted(), shared: shared.map(words).toSorted() };
}

/** What the bars in a place say: class, used and capacity. */
async function barsIn(place: Locator): Promise<string[]> {
  const labels = await place.getByRole('img').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('aria-label') ?? ''));
  return labels.map((label) => label.replace(/^(\w+): .*? used, ([\d,]+ of [\d,]*\d).*$/, '$1 $2')).toSorted();
}

const capacity = (page: Page) => page.getByRole('region', { name: /^Capacity (?!by)/ });
const groups = (page: Page) => page.getByRole('region', { name: 'Groups' });
const hostsShown = (page: Page) => page.locator('#map-host').getAttribute('aria-setsize');

describe('inside a zone', () => {
  test('tiles, alarms, lists and writes are those of the zone, and one button leads back', async () => {
    const observed = await open('/');
    const { page } = observed;
    await page.getByRole('listbox').waitFor();
    const whole = await barsIn(capacity(page));
    await page.getByRole('button', { name: 'az1', exact: true }).click();
    await page.getByText('Everything here is about az1 (100 hosts).').waitFor();
    const { own, shared } = await totalsOf('az1');
    await expect.poll(() => barsIn(capacity(page))).toEqual([...own, ...shared].toSorted());
    expect(whole).not.toEqual([...own, ...shared].toSorted());
    await page.getByRole('heading', { name: 'Fullest by VCPU in az1' }).waitFor();
    for (const list of ['Fullest by VCPU', 'Most room for VCPU']) {
      const links = page.getByRole('region', { name: new RegExp(`^${list}`) }).getByRole('link');
      expect((await links.allTextContents()).filter((name) => !name.startsWith('az1-'))).toEqual([]);
    }
    await page.getByRole('heading', { name: 'Latest writes az1' }).waitFor();
    await page.getByRole('link', { name: '1 disabled' }).click();
    await page.getByText('1 of 200 hosts').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Show the whole cloud' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => barsIn(capacity(page))).toEqual(whole);
    expectQuiet(observed);
  });

  test('the alarms count only its hosts', async () => {
    const { page } = await open('/?in=az2');
    await page.getByRole('link', { name: '0 disabled' }).waitFor();
    await page.getByRole('link', { name: '1 over capacity' }).waitFor();
    await page.getByRole('link', { name: '0 on several hosts for over an hour' }).click();
    await page.getByText('0 consumers').waitFor();
    expect(new URL(page.url()).searchParams.get('aggregate')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('costs no further map once all classes are there', async () => {
    const { page, operations } = await open('/?in=az1');
    await expect.poll(() => operations.filter((name) => name === 'CloudMap').length).toBe(2);
    await page.getByLabel('Go into').selectOption('az1-rack09');
    await page.getByText('Everything here is about az1 · az1-rack09 (10 hosts).').waitFor();
    await expect.poll(async () => (await barsIn(capacity(page))).length).toBeGreaterThan(3);
    const { own, shared } = await totalsOf('az1-rack09');
    // The address pool serves the zone, so it serves its racks, too.
    expect(await barsIn(capacity(page))).toEqual([...own, ...shared].toSorted());
    expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(2);
  });
});

test('every class has its total for each zone, and inside a zone for each rack', async () => {
  const observed = await open('/');
  const { page } = observed;
  await groups(page).scrollIntoViewIfNeeded();
  for (const zone of ['az1', 'az2']) {
    const { own, shared } = await totalsOf(zone);
    await expect.poll(() => barsIn(groups(page).getByRole('row').filter({ hasText: zone }))).toEqual([...own, ...shared].toSorted());
  }
  await groups(page).getByRole('link', { name: 'az2' }).click();
  await expect.poll(() => groups(page).getByRole('row').count()).toBe(11);
  await groups(page).getByLabel('First').selectOption('the fullest by MEMORY_MB');
  const shares = async () => {
    const rows = await groups(page).getByRole('row').all();
    const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').nth(3).innerText()));
    return cells.map((text) => Number(/[\d.]+/.exec(text)?.[0]));
  };
  await expect.poll(async () => (await shares()).every((share, at, all) => at === 0 || share <= (all[at - 1] ?? 0))).toBe(true);
  const { own, shared } = await totalsOf('az2-rack08');
  expect(await barsIn(groups(page).getByRole('row').filter({ hasText: 'az2-rack08' }))).toEqual([...own, ...shared].toSorted());
  await groups(page).getByRole('link', { name: 'az2-rack08' }).click();
  await page.getByText('Everything here is about az2 · az2-rack08 (10 hosts).').waitFor();
  await groups(page).waitFor({ state: 'hidden' });
  expectQuiet(observed);
});

test('a link to any aggregate shows its hosts on the map, and one to a rack alone knows its zone', async () => {
  const { page } = await open('/?in=az1-hdd-service');
  await page.getByText('Everything here is about az1-hdd-service (30 hosts).').waitFor();
  await expect.poll(() => hostsShown(page)).toBe('30');
  await page.goto(`${new URL(page.url()).origin}/?in=az2-rack03`);
  await page.getByText('Everything here is about az2 · az2-rack03 (10 hosts).').waitFor();
  await page.getByRole('navigation', { name: 'Place in the cloud' }).getByRole('button', { name: 'az2', exact: true }).click();
  await page.getByText('Everything here is about az2 (100 hosts).').waitFor();
  await expect.poll(() => hostsShown(page)).toBe('100');
});

test('breadcrumbs have the zone before the rack, and lead to the map of it', async () => {
  const { page } = await open('/providers/az2-rack08-node03');
  const crumbs = page.getByRole('navigation', { name: 'Where it is' }).getByRole('link');
  await crumbs.first().waitFor();
  expect(await crumbs.allTextContents()).toEqual(['Cloud', 'az2', 'az2-hdd-service', 'az2-rack08', 'az2-ssd-service']);
  await crumbs.filter({ hasText: 'az2-rack08' }).click();
  await page.getByText('Everything here is about az2 · az2-rack08 (10 hosts).').waitFor();
});

test('the words of a host are about all of its classes, and about the pools that serve it', async () => {
  const { page } = await open('/?in=az1&in=az1-rack06&host=az1-rack06-node03');
  const words = page.getByRole('option', { name: /^az1-rack06-node03: / });
  await words.getByText(/^MEMORY_MB \d+ % of 124 GiB$/).waitFor();
  await words.getByText(/^DISK_GB \d+ % of .* shared by az1-hdd-pool$/).waitFor();
});

test('inventories of a rack are changed where it is in view: the preview follows what is typed, and the change is undone by one press', async () => {
  const ratios = async () => {
    const { resourceProviders } = await ask(
      '{ resourceProviders(first: 100, filter: { nameStartsWith: "az2-rack03-", resourceClasses: "VCPU" }) { nodes { inventory(resourceClass: "VCPU") { allocationRatio } } } }',
    );
    return [
      ...new Set(resourceProviders.nodes.map(({ inventory }: { inventory: { allocationRatio: number } }) => inventory.allocationRatio)),
    ];
  };
  expect(await ratios()).toEqual([4]);
  const { page } = await open('/?in=az2&in=az2-rack03');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  await dialog.getByRole('heading', { name: 'Inventory of VCPU of 10 hosts' }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByLabel('Ratio').fill('6');
  await dialog.getByText(/^\d+ inventories (of 10 hosts )?change, none would be over capacity\./).waitFor();
  expect(await ratios()).toEqual([4]);
  await dialog.getByRole('button', { name: /^Change \d+ inventories$/ }).click();
  await dialog.getByText(/^Changed \d+ inventories/).waitFor();
  expect(await ratios()).toEqual([6]);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Undone').waitFor();
  expect(await ratios()).toEqual([4]);
});

test('a preview follows only what can be read: a refusal goes with its number, and one preview runs at a time', async () => {
  const { page } = await open('/?in=az2&in=az2-rack03');
  const dialog = page.getByRole('dialog');
  const ratio = dialog.getByLabel('Ratio');
  const reserved = dialog.getByLabel('Reserved');
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let running = 0;
  let most = 0;
  await page.route('**/graphql', async (route) => {
    const isPreview = route.request().postDataJSON().operationName === 'PatchInventories';
    if (isPreview) most = Math.max(most, ++running);
    if (isPreview) await held;
    const response = await route.fetch();
    if (isPreview) running -= 1;
    await route.fulfill({ response });
  });
  const looking = dialog.getByRole('button', { name: 'Looking …' });
  await ratio.fill('6');
  await looking.waitFor();
  await ratio.fill('7');
  // A second preview that did not wait for the first would be under way by now.
  await page.waitForTimeout(1_000);
  answer();
  await dialog.getByText('ratio 4 → 7').first().waitFor();
  expect(most).toBe(1);
  const change = dialog.getByRole('button', { name: /^Change \d+ inventories$/ });
  await change.waitFor();
  await reserved.fill('1.5');
  await change.waitFor({ state: 'detached' });
  await reserved.fill('');
  await change.waitFor();
  await reserved.pressSequentially('-');
  await change.waitFor({ state: 'detached' });
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await reserved.fill('2000000000');
  await dialog.getByRole('alert').waitFor();
  await reserved.fill('');
  await ratio.fill('');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
});
