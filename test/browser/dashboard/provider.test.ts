// The page of a provider: its numbers are those of the API, its files can be read by others, and it needs no mouse.
import { readFile } from 'node:fs/promises';
import { parse as parseDot } from '@ts-graphviz/ast';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();
const host = 'az1-rack09-node01';

interface Inventory {
  readonly resourceClass: { readonly name: string };
  readonly reserved: number;
  readonly allocationRatio: number;
  readonly capacity: number;
  readonly used: number;
}

interface Member {
  readonly name: string;
  readonly inventories: readonly Inventory[];
}

const memberFields = 'name inventories { resourceClass { name } reserved allocationRatio capacity used }';

async function treeOf(name: string): Promise<Member[]> {
  const { resourceProvider } = await ask(
    `query ($name: String!) { resourceProvider(name: $name) { ${memberFields} descendants { ${memberFields} } } }`,
    { name },
  );
  return [resourceProvider, ...resourceProvider.descendants];
}

const number = (amount: number) => amount.toLocaleString('en');

describe('the tree', () => {
  test('says in words about each inventory what the API says in numbers', async () => {
    const observed = await open(`/providers/${host}`);
    const { page } = observed;
    for (const { name, inventories } of await treeOf(host)) {
      const member = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
      for (const { resourceClass, used, capacity, reserved, allocationRatio } of inventories) {
        const words = await member.getByRole('img', { name: new RegExp(`^${resourceClass.name}: `) }).getAttribute('aria-label');
        expect(words).toContain(`, ${number(used)} of ${number(capacity)}, `);
        expect(words?.includes('reserved')).toBe(reserved > 0);
        expect(words?.includes('over-commit begins')).toBe(allocationRatio > 1);
      }
    }
    expectQuiet(observed);
  });

  test('says which inventories are over capacity', async () => {
    const { resourceProviders } = await ask('{ resourceProviders(first: 1, filter: { overCapacity: true }) { nodes { name } } }');
    const { page } = await open(`/providers/${resourceProviders.nodes[0].name}`);
    await page
      .getByRole('img', { name: /over capacity/ })
      .first()
      .waitFor();
    await page.getByText(/^▲/).first().waitFor();
  });

  test('of a pool lists the trees that it serves', async () => {
    const { resourceProvider } = await ask(
      '{ resourceProvider(name: "az1-hdd-pool") { servesRoots(first: 100) { totalCount nodes { name } } } }',
    );
    const { page } = await open('/providers/az1-hdd-pool');
    const served = page.getByRole('region', { name: 'Serves' });
    await served.getByRole('heading', { name: `Serves ${resourceProvider.servesRoots.totalCount} trees` }).waitFor();
    expect(await served.getByRole('link').allInnerTexts()).toEqual(resourceProvider.servesRoots.nodes.map(({ name }: Member) => name));
  });

  test('follows the writes of others', async () => {
    const observed = await open('/providers/az1-rack01-node05');
    const { page } = observed;
    await page.getByText('● live').waitFor();
    const { resourceProvider } = await ask('{ resourceProvider(name: "az1-rack01-node05") { uuid } }');
    await ask(
      `mutation ($uuid: UUID!) { patchInventories(input: { select: { one: { resourceProvider: $uuid, expect: { unchecked: true } } }, resourceClass: "DISK_GB",
        patch: { reserved: 71 } }) { userErrors { message } } }`,
      resourceProvider,
    );
    await page.getByText('71 GiB reserved').waitFor();
    expectQuiet(observed);
  });

  test('of an unknown name leads to the history', async () => {
    const { page } = await open('/providers/az9-rack01');
    await page.getByRole('heading', { name: 'az9-rack01 does not exist' }).waitFor();
    await page.getByRole('link', { name: 'What happened to it?' }).waitFor();
  });
});

/** The text of the file that a button saves. */
async function saved(page: Page, button: string): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Tree of ${host} as ${button}` }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe('the files of a tree', () => {
  test('can be read as files of their kind, and contain what the API says', async () => {
    const tree = await treeOf(host);
    const observed = await open(`/providers/${host}`);
    const csv = await saved(observed.page, 'CSV');
    expect(csv.name).toBe(`${host}.csv`);
    const rows: Record<string, string>[] = parseCsv(csv.text, { bom: true, columns: true });
    const held = rows.map((row) => `${row.provider} ${row.class} ${row.used} ${row.capacity}`);
    const known = tree.flatMap(({ name, inventories }) =>
      inventories.map((one) => `${name} ${one.resourceClass.name} ${one.used} ${one.capacity}`),
    );
    expect(held.toSorted()).toEqual(known.toSorted());

    expect(JSON.parse((await saved(observed.page, 'JSON')).text)).toHaveLength(rows.length);
    const dot = await saved(observed.page, 'dot');
    expect(parseDot(dot.text).type).toBe('Dot');
    for (const { name } of tree) expect(dot.text).toContain(name);
    const svg = await saved(observed.page, 'SVG');
    new SaxesParser().write(svg.text).close();
    for (const { name } of tree) expect(svg.text).toContain(`>${name}<`);
    expectQuiet(observed);
  });
});

describe('with the keyboard only', () => {
  test('a host is found and opened, and its last write unfolded', async () => {
    const { page } = await open('/');
    await page.locator('main h1').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(`${host}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: host, exact: true }).waitFor();
    await page.getByRole('link', { name: 'History', exact: true }).last().focus();
    await page.keyboard.press('Enter');
    const event = page.locator('main summary').filter({ hasText: 'apply provider tree' });
    await event.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`created provider ${host}`, { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('list', { name: 'Providers of the tree' }).waitFor();
  });
});
