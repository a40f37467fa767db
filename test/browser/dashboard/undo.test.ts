// The undo of a write after its dialog is closed: on every page, named after the write, whatever has happened meanwhile.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const tokensFile = useTokensFile();
let token = '';
beforeAll(async () => {
  token = await tokenFor(tokensFile, 'root', ['admin'], { project: 'admin' });
});
const gateway = useDemoGateway({ PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });
const ask = (query: string, variables: object = {}) => gateway.ask(query, variables, token);

const hosts = ['az1-rack09-node01', 'az1-rack09-node02', 'az1-rack09-node03'];
const bar = (page: Page) => page.getByRole('complementary', { name: 'What can be undone' });
const undos = (page: Page) => bar(page).getByRole('button', { name: /^Undo/ });
const goTo = (page: Page, name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();

async function reservedOf(names: readonly string[]): Promise<number[]> {
  const { resourceProviders } = await ask(
    'query ($names: [String!]) { resourceProviders(filter: { names: $names }, orderBy: { field: NAME }) { nodes { inventory(resourceClass: "DISK_GB") { reserved } } } }',
    { names },
  );
  return resourceProviders.nodes.map(({ inventory }: { inventory: { reserved: number } }) => inventory.reserved);
}

async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check();
}

/** Changes what is reserved of DISK_GB on the selected hosts, up to the press of the button. */
async function reserve(page: Page, amount: number): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  await dialog.getByLabel('Class').selectOption('DISK_GB');
  await dialog.getByLabel('Reserved (GiB)').fill(String(amount));
  await dialog.getByRole('button', { name: /^Change/ }).click();
}

async function close(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^(Changed|Written)/).waitFor();
  expect(await bar(page).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
}

test('is at the foot of every page, for everybody, and restores what was there', async () => {
  const before = await reservedOf(hosts);
  const observed = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
  const { page } = observed;
  await select(page, hosts);
  await reserve(page, 131);
  await close(page);
  const undo = bar(page).getByRole('button', { name: 'Undo: reserved DISK_GB to 131 GiB on 3 hosts', exact: true });
  await undo.waitFor();
  expect(await reservedOf(hosts)).toEqual([131, 131, 131]);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([width, colorScheme, ...(await seriousViolations(page))]).toEqual([width, colorScheme]);
    }
    expect([width, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([width, 0]);
  }
  await goTo(page, 'Projects');
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  await undo.focus();
  await page.keyboard.press('Enter');
  await bar(page).getByText('Undone: everything is as it was before.').waitFor();
  expect(await reservedOf(hosts)).toEqual(before);
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Dismiss: reserved DISK_GB to 131 GiB on 3 hosts');
  await page.keyboard.press('Enter');
  await bar(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('main');
  expectQuiet(observed);
});

test('is kept for each of the last writes, the latest first', async () => {
  const before = await reservedOf(hosts.slice(0, 2));
  const { page } = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
  await select(page, hosts.slice(0, 2));
  await reserve(page, 132);
  await close(page);
  await page.getByRole('button', { name: 'Disable…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable 2 hosts' }).click();
  await page.getByRole('dialog').getByText('Changed 2 hosts.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => undos(page).allInnerTexts()).toEqual(['Undo: 2 hosts disabled', 'Undo: reserved DISK_GB to 132 GiB on 2 hosts']);
  await undos(page).last().click();
  await bar(page).getByText('Undone: everything is as it was before.').waitFor();
  expect(await reservedOf(hosts.slice(0, 2))).toEqual(before);
  await undos(page).click();
  await bar(page).getByText('Undone: the traits are as they were before.').waitFor();
  const { resourceProviders } = await ask(
    'query ($names: [String!]) { resourceProviders(filter: { names: $names, traits: { allOf: "COMPUTE_STATUS_DISABLED" } }) { totalCount } }',
    { names: hosts },
  );
  expect(resourceProviders.totalCount).toBe(0);
});

describe('after others have written', () => {
  test('leaves alone what they have changed, and names it', async () => {
    const [first = 0, , third = 0] = await reservedOf(hosts);
    const { page } = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
    await select(page, hosts);
    await reserve(page, 133);
    await close(page);
    await ask(
      'mutation ($names: [String!]) { patchInventories(input: { select: { filter: { names: $names } }, resourceClass: "DISK_GB", patch: { reserved: 77 } }) { userErrors { message } } }',
      { names: hosts[1] },
    );
    await undos(page).click();
    await bar(page).getByText('Undone for 2 inventories, but not for these:').waitFor();
    await bar(page).getByText(`${hosts[1]}: somebody has changed it since`).waitFor();
    expect(await reservedOf(hosts)).toEqual([first, 77, third]);
  });

  test('restores the traits of the hosts that are still there', async () => {
    const [kept, gone] = [randomUUID(), randomUUID()];
    await ask(
      `mutation ($kept: UUID!, $gone: UUID!) {
        kept: createResourceProvider(input: { uuid: $kept, name: "undo-kept" }) { userErrors { message } }
        gone: createResourceProvider(input: { uuid: $gone, name: "undo-gone" }) { userErrors { message } }
        createTrait(input: { name: "CUSTOM_UNDO" }) { created } }`,
      { kept, gone },
    );
    const traits = async () =>
      (await ask('query ($kept: UUID!) { resourceProvider(uuid: $kept) { traitNames } }', { kept })).resourceProvider;
    const { page } = await gateway.openAs(token, '/hosts?q=undo-');
    await select(page, ['undo-kept', 'undo-gone']);
    await page.getByRole('button', { name: 'Set or remove a trait…' }).click();
    await page.getByRole('dialog').getByLabel('Trait').fill('CUSTOM_UNDO');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Set CUSTOM_UNDO on 2 hosts' }).click();
    await close(page);
    expect(await traits()).toEqual({ traitNames: ['CUSTOM_UNDO'] });
    await ask(
      'mutation ($gone: UUID!) { deleteResourceProvider(input: { resourceProvider: $gone, expect: { unchecked: true } }) { userErrors { message } } }',
      { gone },
    );
    await bar(page).getByRole('button', { name: 'Undo: CUSTOM_UNDO set on 2 hosts' }).click();
    await bar(page).getByText('Undone, but 1 host no longer exists.').waitFor();
    expect(await traits()).toEqual({ traitNames: [] });
  });
});

test('stays while it is refused, for whatever reason', async () => {
  const before = await reservedOf(hosts);
  const { page } = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
  await select(page, hosts);
  await reserve(page, 134);
  await close(page);
  await page.route('**/graphql', (route) =>
    route.request().postDataJSON()?.operationName === 'PatchInventories'
      ? route.fulfill({ json: { errors: [{ message: 'Your roles do not allow this now.', extensions: { code: 'FORBIDDEN' } }] } })
      : route.continue(),
  );
  await undos(page).click();
  await bar(page).getByText('Your roles do not allow this now.').waitFor();
  expect(await reservedOf(hosts)).toEqual([134, 134, 134]);
  await page.unroute('**/graphql');
  await undos(page).click();
  await bar(page).getByText('Undone: everything is as it was before.').waitFor();
  expect(await reservedOf(hosts)).toEqual(before);
});

test('comes even if the dialog is closed before the write is answered', async () => {
  const { page } = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.variables.input?.dryRun === false) await held;
    await route.continue();
  });
  await select(page, hosts);
  await reserve(page, 135);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await bar(page).count()).toBe(0);
  answer();
  await bar(page).getByRole('button', { name: 'Undo: reserved DISK_GB to 135 GiB on 3 hosts' }).click();
  await bar(page).getByText('Undone: everything is as it was before.').waitFor();
});

test('is gone once the person has signed out', async () => {
  const { page } = await gateway.openAs(token, '/hosts?q=az1-rack09-node0');
  await select(page, hosts);
  await reserve(page, 136);
  await close(page);
  await bar(page).waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await bar(page).waitFor({ state: 'detached' });
});
