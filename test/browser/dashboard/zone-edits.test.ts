// What an operator changes in a whole zone at once: everything that is in it, with its consequences in view, and back again.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

describe('an edit of a zone', () => {
  const host = 'az1-rack01-node03';
  const ratioOf = async (name: string) =>
    (
      await ask('query ($name: String!) { resourceProvider(name: $name) { inventory(resourceClass: "VCPU") { allocationRatio } } }', {
        name,
      })
    ).resourceProvider.inventory.allocationRatio;
  const setRatio = (names: readonly string[], ratio: number) =>
    ask(
      `mutation ($names: [String!], $ratio: Float!) { patchInventories(input: { select: { filter: { names: $names } }, resourceClass: "VCPU",
        patch: { allocationRatio: $ratio } }) { userErrors { message } } }`,
      { names, ratio },
    );
  /** The ratios of the zone, and how many inventories have each. */
  const ratiosInZone = async () => {
    const { resourceProviders } = await ask(
      '{ resourceProviders(first: 300, filter: { nameStartsWith: "az1-", resourceClasses: "VCPU" }) { nodes { inventory(resourceClass: "VCPU") { allocationRatio } } } }',
    );
    const ratios = resourceProviders.nodes.map(({ inventory }: { inventory: { allocationRatio: number } }) => inventory.allocationRatio);
    return Object.fromEntries([...new Set<number>(ratios)].map((ratio) => [ratio, ratios.filter((one: number) => one === ratio).length]));
  };
  const claim = async (name: string) => {
    const { resourceProvider } = await ask('query ($name: String!) { resourceProvider(name: $name) { uuid } }', { name });
    const allocations = [{ resourceProvider: resourceProvider.uuid, resources: [{ resourceClass: 'DISK_GB', amount: 1 }] }];
    const { replaceAllocations } = await ask(
      'mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }',
      {
        input: { consumers: [{ consumer: crypto.randomUUID(), expect: { isNew: true }, project: 'p', user: 'u', hold: { allocations } }] },
      },
    );
    expect(replaceAllocations.userErrors).toEqual([]);
  };
  const previewOf = async (resourceClass: string, field: string, value: string) => {
    const { page } = await open(`/providers/${host}`);
    return { page, dialog: await previewOn(page, resourceClass, field, value) };
  };
  const previewOn = async (page: Page, resourceClass: string, field: string, value: string) => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: `Edit ${resourceClass} of ${host}` }).click();
    await dialog.getByLabel(field).fill(value);
    await dialog.getByLabel('Apply to').selectOption({ label: `every ${resourceClass} inventory in az1` });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    return dialog;
  };

  test('covers the NUMA cells of its hosts, says what it does in all, and is confirmed without scrolling', async () => {
    const { page, dialog } = await previewOf('VCPU', 'Ratio', '1');
    await dialog.getByRole('heading', { name: 'Inventory of VCPU in az1' }).waitFor();
    await dialog
      .getByText(/^109 inventories of 99 hosts change, \d+ would be over capacity\..* 1 inventory has these values already\./)
      .waitFor();
    const confirm = dialog.getByRole('button', { name: 'Change 109 inventories' });
    const { y = 900, height = 0 } = (await confirm.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(900);
    // The worst first, by names.
    expect(await dialog.getByRole('listitem').first().innerText()).toMatch(/^az1-rack\d+-node\d+\S*?( ✕ disabled)?: .* over capacity$/);
    expect(await dialog.innerText()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('names the hosts without the class and the shared pools, also below a host, which it leaves out', async () => {
    const { pool, host: member } = await ask(
      '{ pool: resourceProvider(name: "az1-hdd-pool") { uuid aggregates { uuid } } host: resourceProvider(name: "az1-rack01-node03") { uuid aggregates { uuid name } } }',
    );
    const zone = member.aggregates.find(({ name }: { name: string }) => name === 'az1');
    const { replaceAggregates } = await ask(
      'mutation ($input: ReplaceAggregatesInput!) { replaceAggregates(input: $input) { userErrors { message } } }',
      {
        input: {
          resourceProvider: pool.uuid,
          expect: { unchecked: true },
          aggregates: [...pool.aggregates, zone].map(({ uuid }: { uuid: string }) => uuid),
        },
      },
    );
    expect(replaceAggregates.userErrors).toEqual([]);
    const below = crypto.randomUUID();
    const { created, filled, shared } = await ask(
      `mutation ($below: UUID!, $host: UUID!) {
        created: createResourceProvider(input: { uuid: $below, name: "az1-pool-below", parent: $host }) { userErrors { message } }
        filled: replaceInventories(input: { resourceProvider: $below, expect: { unchecked: true }, inventories: [{ resourceClass: "DISK_GB", total: 500 }] }) { userErrors { message } }
        shared: replaceTraits(input: { resourceProvider: $below, expect: { unchecked: true }, traits: ["MISC_SHARES_VIA_AGGREGATE"] }) { userErrors { message } }
      }`,
      { below, host: member.uuid },
    );
    expect([created, filled, shared]).toEqual([{ userErrors: [] }, { userErrors: [] }, { userErrors: [] }]);
    const { dialog } = await previewOf('DISK_GB', 'Reserved (GiB)', '61');
    await dialog.getByText('70 inventories change').waitFor();
    await dialog.getByText('Left out, without DISK_GB: az1-rack06-node01, az1-rack06-node02, az1-rack06-node03 and 27 more.').waitFor();
    await dialog.getByText('Left out, shared by several hosts, to be edited on its own page: az1-hdd-pool, az1-pool-below.').waitFor();
  });

  test('shows no preview of a draft that was changed meanwhile', async () => {
    const { page } = await open(`/providers/${host}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: `Edit VCPU of ${host}` }).click();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByLabel('Ratio').fill('2');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Looking …' }).waitFor();
    await dialog.getByLabel('Ratio').fill('3');
    let answers = 0;
    page.on('response', (response) => {
      if (response.request().postDataJSON()?.operationName === 'PatchInventories') answers += 1;
    });
    answer();
    await expect.poll(() => answers).toBe(2);
    expect(await dialog.getByRole('button', { name: /^Change/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('ratio 4 → 3').waitFor();
    expect(await dialog.getByText('ratio 4 → 2').count()).toBe(0);
  });

  test('is previewed anew if somebody claims while it is previewed', async () => {
    const { page } = await open(`/providers/${host}`);
    let claims = 1;
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().variables.input?.select?.many && claims-- > 0) await claim(host);
      await route.continue();
    });
    const dialog = await previewOn(page, 'DISK_GB', 'Reserved (GiB)', '62');
    await dialog.getByRole('button', { name: 'Change 70 inventories' }).waitFor();
    expect(claims).toBeLessThan(1);
  });

  test('that was written without an answer after somebody claimed is done when it is sent again, and is undone', async () => {
    const before = await ratiosInZone();
    const { page, dialog } = await previewOf('VCPU', 'Ratio', '7');
    await dialog.getByRole('button', { name: 'Change 110 inventories' }).waitFor();
    await claim(host);
    let writes = 0;
    await page.route('**/graphql', async (route) => {
      const isWrite = route.request().postDataJSON().variables.input?.dryRun === false;
      if (!isWrite || ++writes !== 2) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await dialog.getByRole('button', { name: 'Change 110 inventories' }).click();
    await dialog.getByText('The gateway does not answer.').waitFor();
    expect(await ratiosInZone()).toEqual({ 7: 110 });
    await dialog.getByRole('button', { name: 'Change 110 inventories' }).click();
    await dialog.getByText('Changed 110 inventories.').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone: everything is as it was before.').waitFor();
    expect(await ratiosInZone()).toEqual(before);
  });

  test('is undone to the own value of each, except where somebody has changed it since, whatever is claimed meanwhile', async () => {
    await setRatio(['az1-rack02-node05'], 4);
    await setRatio(['az1-rack04-node01', 'az1-rack04-node02'], 3);
    await setRatio(['az1-rack04-node03'], 2.5);
    const before = { 4: 107, 3: 2, 2.5: 1 };
    expect(await ratiosInZone()).toEqual(before);
    const { dialog } = await previewOf('VCPU', 'Ratio', '8');
    await dialog.getByText("Undo restores each one's own value, of 3 different ones").waitFor();
    await claim('az1-rack03-node01');
    await dialog.getByRole('button', { name: 'Change 110 inventories' }).click();
    await dialog.getByText('Changed 110 inventories.').waitFor();
    expect(await ratiosInZone()).toEqual({ 8: 110 });
    await claim('az1-rack04-node03');
    await setRatio(['az1-rack03-node02'], 6);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone for 109 inventories, but not for these:').waitFor();
    await dialog.getByText('az1-rack03-node02: somebody has changed it since').waitFor();
    expect(await ratiosInZone()).toEqual({ ...before, 4: 106, 6: 1 });
    expect(await ratioOf('az1-rack04-node03')).toBe(2.5);
    await setRatio(['az1-rack03-node02'], 4);
  });

  test('is refused as a whole if somebody has changed one of its inventories since the preview', async () => {
    const before = await ratiosInZone();
    const { dialog } = await previewOf('VCPU', 'Ratio', '16');
    await dialog.getByText(/inventories of 100 hosts change/).waitFor();
    await setRatio(['az1-rack03-node02'], 5);
    await dialog.getByRole('button', { name: 'Change 110 inventories' }).click();
    await dialog.getByText('Nothing was written.').waitFor();
    expect(await ratiosInZone()).toEqual({ ...before, 4: before[4] - 1, 5: 1 });
    await setRatio(['az1-rack03-node02'], 4);
  });
});
