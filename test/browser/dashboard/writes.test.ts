// What an operator does in the dashboard: nothing by accident, everything in one write, and back again.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

async function diskOf(name: string): Promise<{ reserved: number; allocationRatio: number; uuid: string; generation: number }> {
  const { resourceProvider } = await ask(
    'query ($name: String!) { resourceProvider(name: $name) { uuid generation inventory(resourceClass: "DISK_GB") { reserved allocationRatio } } }',
    { name },
  );
  const { uuid, generation, inventory } = resourceProvider;
  return { uuid, generation, ...inventory };
}

async function preview(page: Page, host: string, reserved: string): Promise<void> {
  await page.getByRole('button', { name: `Edit DISK_GB of ${host}` }).click();
  await page.getByLabel('Reserved (GiB)').fill(reserved);
  await page.getByRole('button', { name: 'Preview' }).click();
}

describe('an inventory', () => {
  const host = 'az1-rack09-node01';

  test('is changed after its preview was confirmed, and changed back by one press', async () => {
    const before = await diskOf(host);
    const { page } = await open(`/providers/${host}`);
    await preview(page, host, '123');
    await page.getByText(`reserved ${before.reserved} GiB → 123 GiB`).waitFor();
    expect(await diskOf(host)).toEqual(before);
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Change 1 inventory' }).click();
    await page.getByText('Changed 1 inventory.').waitFor();
    expect((await diskOf(host)).reserved).toBe(123);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await diskOf(host)).toEqual({ ...before, generation: before.generation + 2 });
  });

  test('is not changed when somebody wrote since the page was read', async () => {
    const { page } = await open(`/providers/${host}`);
    await preview(page, host, '200');
    await page.getByText(/→ 200 GiB/).waitFor();
    const { uuid } = await diskOf(host);
    await ask(
      `mutation ($uuid: UUID!) { patchInventories(input: { select: { one: { resourceProvider: $uuid, expect: { unchecked: true } } }, resourceClass: "DISK_GB",
        patch: { reserved: 77 } }) { userErrors { message } } }`,
      { uuid },
    );
    await page.getByRole('button', { name: 'Change 1 inventory' }).click();
    await page.getByText('PROVIDER_CONFLICT').waitFor();
    // In the words of people: not by its uuid.
    const refusal = await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'PROVIDER_CONFLICT' }).innerText();
    expect([refusal.includes(host), refusal.includes(uuid)]).toEqual([true, false]);
    expect((await diskOf(host)).reserved).toBe(77);
    await page.getByRole('button', { name: 'Close, and read it again' }).click();
    await page.getByText('77 GiB reserved').waitFor();
  });

  test('is left alone when the dialog is left, by keyboard too', async () => {
    const before = await diskOf(host);
    const { page } = await open(`/providers/${host}`);
    await preview(page, host, '300');
    await page.getByText(/→ 300 GiB/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await diskOf(host)).toEqual(before);
  });

  test('of all hosts of an aggregate is changed in one write', async () => {
    const { resourceProvider } = await ask('{ resourceProvider(name: "az1-rack01-node01") { aggregates { uuid name } } }');
    const rack = resourceProvider.aggregates.find(({ name }: { name: string }) => name === 'az1-rack01');
    const { page } = await open('/providers/az1-rack01-node01');
    await page.getByRole('button', { name: 'Edit DISK_GB of az1-rack01-node01' }).click();
    await page.getByLabel('Reserved (GiB)').fill('99');
    await page.getByRole('dialog').getByRole('combobox').selectOption({ value: rack.uuid });
    await page.getByRole('button', { name: 'Preview' }).click();
    const confirm = page.getByRole('button', { name: /^Change \d+ inventories$/ });
    const count = Number(/\d+/.exec(await confirm.innerText())?.[0]);
    await confirm.click();
    await page.getByText(`Changed ${count} inventories`).waitFor();
    const { resourceProviders, events } = await ask(
      `query ($rack: UUID!) { resourceProviders(first: 100, filter: { aggregates: { allOf: [$rack] }, resourceClasses: "DISK_GB" }) { nodes { inventory(resourceClass: "DISK_GB") { reserved } } }
        events(first: 1) { nodes { kind changes(first: 100) { totalCount } } } }`,
      { rack: rack.uuid },
    );
    expect(new Set(resourceProviders.nodes.map(({ inventory }: { inventory: { reserved: number } }) => inventory.reserved))).toEqual(
      new Set([99]),
    );
    expect(events.nodes[0]).toEqual({ kind: 'PATCH_INVENTORIES', changes: { totalCount: count } });
  });
});

test('a host is disabled and enabled again', async () => {
  const host = 'az1-rack03-node03';
  const traits = async () =>
    (await ask('query ($host: String!) { resourceProvider(name: $host) { traitNames } }', { host })).resourceProvider.traitNames;
  const before = await traits();
  const { page } = await open(`/providers/${host}`);
  await page.getByRole('button', { name: 'Disable …' }).click();
  await page.getByText('Nothing new is placed there').waitFor();
  await page.getByRole('button', { name: 'Set COMPUTE_STATUS_DISABLED' }).click();
  await page.getByText('Written.').waitFor();
  expect((await traits()).toSorted()).toEqual([...before, 'COMPUTE_STATUS_DISABLED'].toSorted());
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('✕ disabled').waitFor();
  await page.getByRole('button', { name: 'Enable …' }).click();
  await page.getByRole('button', { name: 'Take COMPUTE_STATUS_DISABLED away' }).click();
  await page.getByText('Written.').waitFor();
  expect((await traits()).toSorted()).toEqual(before.toSorted());
});

test('a trait that does not exist is refused in the words of the gateway', async () => {
  const { page } = await open('/providers/az1-rack03-node04');
  await page
    .getByText(/\d+ traits/)
    .first()
    .click();
  await page.getByRole('button', { name: 'Set a trait …' }).first().click();
  await page.getByLabel('Trait', { exact: true }).fill('CUSTOM_NEVER_MADE');
  await page.getByRole('button', { name: 'Set CUSTOM_NEVER_MADE' }).click();
  await page.getByText('Nothing was written').waitFor();
  await page.getByText('NOT_FOUND').waitFor();
});

test('what a consumer holds is released, and held again by one press', async () => {
  const fields =
    'uuid consumerType project { externalId } user { externalId } allocations { amount resourceClass { name } resourceProvider { name } }';
  const { consumers } = await ask(`{ consumers(first: 1, filter: { consumerTypes: "INSTANCE" }) { nodes { ${fields} } } }`);
  const [before] = consumers.nodes;
  const now = async () => (await ask(`query ($uuid: UUID!) { consumer(uuid: $uuid) { ${fields} } }`, { uuid: before.uuid })).consumer;
  const { page } = await open(`/consumers/${before.uuid}`);
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByText('will hold nothing').waitFor();
  expect(await now()).toEqual(before);
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByText('Released.').waitFor();
  expect(await now()).toBeNull();
  await page.getByText('It holds nothing now').waitFor();

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  const after = await now();
  const sorted = ({ allocations, ...rest }: typeof before) => ({
    ...rest,
    allocations: allocations.map((one: object) => JSON.stringify(one)).toSorted(),
  });
  expect(sorted(after)).toEqual(sorted(before));
});
