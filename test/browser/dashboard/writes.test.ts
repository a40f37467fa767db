// What an operator does in the dashboard: nothing by accident, everything in one write, and back again.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open, own } = useDemoGateway();

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

test('the hosts selected in the table, by mouse and by keys, get a trait and lose it, and an inventory of each changes, each in one write', async () => {
  const hosts = ['az1-rack09-node01', 'az1-rack09-node02', 'az1-rack09-node03'];
  const holders = async () => {
    const { resourceProviders } = await ask(
      '{ resourceProviders(first: 300, filter: { traits: { allOf: "CUSTOM_MANY" } }, orderBy: { field: NAME }) { nodes { name } } }',
    );
    return resourceProviders.nodes.map(({ name }: { name: string }) => name);
  };
  await ask('mutation { createTrait(input: { name: "CUSTOM_MANY" }) { created } }');
  const { page } = await open('/hosts?q=az1-rack09-node0');
  const dialog = page.getByRole('dialog');
  await page.getByLabel(`Select ${hosts[0]}`, { exact: true }).check();
  // On to the next by the arrow, which stays in the column, and chosen by the space bar.
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe(`Select ${hosts[1]}`);
  await page.keyboard.press('Space');
  await page.getByText('2 hosts selected').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set or remove a trait…' }).click();
  await dialog.getByLabel('Trait').fill('custom_many');
  await page.keyboard.press('Enter');
  await dialog.getByText('2 hosts will have the trait CUSTOM_MANY').waitFor();
  expect(await holders()).toEqual([]);
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set CUSTOM_MANY on 2 hosts' }).click();
  await dialog.getByText('Changed 2 hosts.').waitFor();
  expect(await holders()).toEqual(hosts.slice(0, 2));
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Undone').waitFor();
  expect(await holders()).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  const before = await Promise.all(hosts.map(diskOf));
  await page.getByLabel(`Select ${hosts[2]}`, { exact: true }).check();
  await page.getByText('3 hosts selected').waitFor();
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  await dialog.getByLabel('Class').selectOption('DISK_GB');
  await dialog.getByLabel('Reserved (GiB)').fill('131');
  await page.keyboard.press('Enter');
  await dialog.getByText('3 inventories change, none would be over capacity.').waitFor();
  await dialog.getByRole('button', { name: 'Change 3 inventories' }).click();
  await dialog.getByText(/^Changed 3 inventories/).waitFor();
  expect(await Promise.all(hosts.map(diskOf))).toEqual(before.map((one) => ({ ...one, reserved: 131, generation: one.generation + 1 })));
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Undone').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Select all hosts in the table').check();
  await page.getByText(/^9 hosts selected/).waitFor();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByText(/hosts selected/).waitFor({ state: 'detached' });
  await page.close();
});

test('an inventory that selected hosts have in their NUMA cells is changed there, unless only the hosts themselves are chosen', async () => {
  const hosts = ['az1-rack09-node04', 'az1-rack09-node05'];
  const ratios = async () => {
    const { resourceProviders } = await ask(
      '{ resourceProviders(first: 10, filter: { or: [{ nameStartsWith: "az1-rack09-node04" }, { nameStartsWith: "az1-rack09-node05" }], resourceClasses: "VCPU" }) { nodes { inventory(resourceClass: "VCPU") { allocationRatio } } } }',
    );
    return resourceProviders.nodes.map(({ inventory }: { inventory: { allocationRatio: number } }) => inventory.allocationRatio);
  };
  expect(await ratios()).toEqual([4, 4, 4, 4]);
  const { page } = await open('/hosts?q=az1-rack09-node0');
  const dialog = page.getByRole('dialog');
  for (const host of hosts) await page.getByLabel(`Select ${host}`, { exact: true }).check();
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  await dialog.getByLabel('Class').selectOption('VCPU');
  await dialog.getByLabel('Ratio').fill('8');
  await dialog.getByLabel('Apply to').selectOption({ label: 'only the selected hosts themselves, where they have it' });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Nothing would change: none of them has the class.').waitFor();
  await dialog.getByLabel('Apply to').selectOption({ label: 'the selected hosts and everything below them, where they have it' });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('4 inventories of 2 hosts change').waitFor();
  await dialog.getByText('az1-rack09-node05_numa1: ratio 4 → 8').waitFor();
  await dialog.getByRole('button', { name: 'Change 4 inventories' }).click();
  await dialog.getByText('Changed 4 inventories.').waitFor();
  expect(await ratios()).toEqual([8, 8, 8, 8]);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Undone').waitFor();
  expect(await ratios()).toEqual([4, 4, 4, 4]);
});

describe('an inventory', () => {
  const host = 'az1-rack09-node01';

  test('is changed after its preview is confirmed, and restored by one press', async () => {
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

  test('is not changed if somebody has written since the page was read', async () => {
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
    await page.getByRole('button', { name: 'Close and read again' }).click();
    await page.getByText('77 GiB reserved').waitFor();
  });

  test('is not changed if the dialog is closed, even by keyboard', async () => {
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
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .selectOption({ label: `every DISK_GB inventory in ${rack.name}` });
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

test('what a consumer holds is released, and restored by one press', async () => {
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

test('a consumer that expires says when, and no longer once it is confirmed', async () => {
  const consumer = randomUUID();
  const answer = await ask(
    `mutation ($consumer: UUID!) { claim(input: {
      consumers: { consumer: $consumer, expect: { isNew: true }, project: "p1", user: "u1", expiry: { at: "2099-01-02T03:04:05Z" } }
      request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }
    }) { userErrors { message } } }`,
    { consumer },
  );
  expect(answer).toEqual({ claim: { userErrors: [] } });
  const { page } = await open(`/consumers/${consumer}`);
  await page.getByText('expires 2099-01-02 03:04:05 UTC').waitFor();
  await ask(
    `mutation ($consumer: UUID!) { setExpiry(input: { consumers: { consumer: $consumer, expect: { generation: 1 }, expiry: { never: true } } }) { event { id } } }`,
    { consumer },
  );
  await page.getByText('generation 2').waitFor();
  await page.getByText('expires 2099').waitFor({ state: 'detached' });
});

describe('leftovers', () => {
  const hosts = ['az1-rack01-node01', 'az1-rack01-node02'] as const;

  /** Consumers of a project that have held the same on both hosts for two hours. */
  async function leave(project: string, count: number): Promise<string[]> {
    const { resourceProviders } = await ask(
      'query ($hosts: [String!]) { resourceProviders(filter: { names: $hosts }) { nodes { uuid } } }',
      {
        hosts,
      },
    );
    const allocations = resourceProviders.nodes.map(({ uuid }: { uuid: string }) => ({
      resourceProvider: uuid,
      resources: [{ resourceClass: 'DISK_GB', amount: 1 }],
    }));
    const leftovers = Array.from({ length: count }, () => crypto.randomUUID());
    const owner = { project, user: 'left', consumerType: 'MIGRATION' };
    const { replaceAllocations } = await ask(
      'mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }',
      { input: { consumers: leftovers.map((consumer) => ({ consumer, expect: { isNew: true }, ...owner, hold: { allocations } })) } },
    );
    expect(replaceAllocations.userErrors).toEqual([]);
    await own()`update consumers set updated_at = now() - interval '2 hours' where uuid = any(${leftovers}::uuid[])`;
    return leftovers;
  }

  /** What the consumers of a project hold, by consumer: the names of the hosts. */
  async function held(project: string): Promise<Record<string, string[]>> {
    const { consumers } = await ask(
      `query ($project: [String!]) { consumers(filter: { projects: $project }) { nodes { uuid consumerType allocations { amount resourceProvider { name } } } } }`,
      { project: [project] },
    );
    return Object.fromEntries(
      consumers.nodes.map(
        ({ uuid, allocations }: { uuid: string; allocations: { amount: number; resourceProvider: { name: string } }[] }) => [
          uuid,
          allocations.map(({ resourceProvider }) => resourceProvider.name).toSorted(),
        ],
      ),
    );
  }

  test('are selected, and what they hold is released in one write, and restored by one press', async () => {
    const leftovers = await leave('left', 3);
    const before = await held('left');
    const { page } = await open('/consumers?left=1&project=left');
    const dialog = page.getByRole('dialog');
    await page.getByText('3 consumers').waitFor();
    await page.getByLabel('Select all consumers').check();
    await page.getByLabel(`Select ${leftovers[2]}`).uncheck();
    await page.getByText('2 consumers selected').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep or release…' }).click();
    // Nothing is chosen for the person.
    for (const uuid of leftovers.slice(0, 2)) {
      expect(await dialog.getByRole('button', { name: /^(Release|Change|Drop)/ }).count()).toBe(0);
      await dialog.getByRole('group', { name: uuid }).getByLabel('Release everything').check();
    }
    expect(await dialog.getByText(leftovers[2] ?? '').count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await held('left')).toEqual(before);
    await dialog.getByRole('button', { name: 'Release 2 consumers' }).click();
    await dialog.getByText('Released 2 consumers.').waitFor();
    expect(Object.keys(await held('left'))).toEqual([leftovers[2]]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone: they hold what they held before.').waitFor();
    expect(await held('left')).toEqual(before);
  });

  test('keep one host and drop the other, each as chosen, in one write, and hold both again by one press', async () => {
    const [first = '', second = '', third = ''] = await leave('half', 3);
    const before = await held('half');
    const { page } = await open('/consumers?left=1&project=half');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Select all consumers').check();
    await page.getByRole('button', { name: 'Keep or release…' }).click();
    const choose = (uuid: string, label: string) => dialog.getByRole('group', { name: uuid }).getByLabel(label).check();
    await dialog
      .getByText(/held since (now|\d+ s ago) · the host has never reported/)
      .first()
      .waitFor();
    await dialog.getByRole('group', { name: first }).getByText(`Drop ${hosts[1]}, which frees 1 GiB DISK_GB`).waitFor();
    await choose(first, `Keep ${hosts[0]}`);
    await choose(second, `Keep ${hosts[1]}`);
    await choose(third, 'Release everything');
    await dialog.getByRole('button', { name: 'Change 3 consumers' }).click();
    await dialog.getByText('3 consumers hold only what they keep.').waitFor();
    expect(await held('half')).toEqual({ [first]: [hosts[0]], [second]: [hosts[1]] });
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone: they hold what they held before.').waitFor();
    expect(await held('half')).toEqual(before);
  });

  test('that are too many to choose a host of each are released only after that is confirmed', async () => {
    await leave('many', 11);
    const { page } = await open('/consumers?left=1&project=many');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Select all consumers').check();
    await page.getByRole('button', { name: 'Keep or release…' }).click();
    const confirm = dialog.getByLabel('11 consumers hold on several hosts');
    await confirm.waitFor();
    expect(await dialog.getByRole('button', { name: 'Release 11 consumers' }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await confirm.check();
    await dialog.getByRole('button', { name: 'Release 11 consumers' }).click();
    await dialog.getByText('Released 11 consumers.').waitFor();
    expect(await held('many')).toEqual({});
  });

  test('keep nothing that somebody has changed meanwhile, neither by the write nor by its undo', async () => {
    const [leftover = ''] = await leave('raced', 1);
    const { page } = await open(`/consumers/${leftover}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Release …' }).click();
    await dialog.getByLabel(`Keep ${hosts[0]}`).check();
    await dialog.getByRole('button', { name: 'Drop the rest' }).click();
    await dialog.getByText('It holds only what it keeps.').waitFor();
    const released = await ask(
      'mutation ($uuid: UUID!) { releaseAllocations(input: { consumers: [{ consumer: $uuid, expect: { unchecked: true } }] }) { userErrors { message } } }',
      { uuid: leftover },
    );
    expect(released.releaseAllocations.userErrors).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('CONSUMER_CONFLICT').waitFor();
    await dialog.getByText('Nothing was undone.').waitFor();
    expect(await dialog.getByText('It holds only what it keeps.').count()).toBe(1);
    expect(await dialog.getByRole('button', { name: 'Drop the rest' }).count()).toBe(0);
    expect(await held('raced')).toEqual({});
  });
});

test('consumers that are not leftovers cannot be selected for release', async () => {
  const { page } = await open('/consumers');
  await page
    .getByText(/consumers$/)
    .first()
    .waitFor();
  await page.getByRole('table').getByRole('link').first().waitFor();
  expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
});
