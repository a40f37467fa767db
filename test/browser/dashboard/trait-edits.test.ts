// What an operator does with traits in the dashboard, above all with the one that disables hosts.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

/** A small claim by somebody else, which raises the generation of the host. */
async function claimOn(host: string): Promise<void> {
  const { resourceProvider } = await ask('query ($host: String!) { resourceProvider(name: $host) { uuid } }', { host });
  const { replaceAllocations } = await ask(
    `mutation ($provider: UUID!, $consumer: UUID!) { replaceAllocations(input: { consumers: [{ consumer: $consumer, expect: { isNew: true },
      hold: { allocations: [{ resourceProvider: $provider, resources: [{ resourceClass: "DISK_GB", amount: 1 }] }] }, project: "p", user: "u", consumerType: "INSTANCE" }] }) {
      userErrors { code message } } }`,
    { provider: resourceProvider.uuid, consumer: randomUUID() },
  );
  expect(replaceAllocations.userErrors).toEqual([]);
}

test('a host is disabled and enabled again', async () => {
  const host = 'az1-rack03-node03';
  const traits = async () =>
    (await ask('query ($host: String!) { resourceProvider(name: $host) { traitNames } }', { host })).resourceProvider.traitNames;
  const before = await traits();
  const { page } = await open(`/providers/${host}`);
  await page.getByRole('button', { name: 'Disable …' }).click();
  await page.getByText('Nothing new will be placed there').waitFor();
  await page.getByRole('button', { name: 'Set COMPUTE_STATUS_DISABLED' }).click();
  await page.getByText('Written.').waitFor();
  expect((await traits()).toSorted()).toEqual([...before, 'COMPUTE_STATUS_DISABLED'].toSorted());
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('✕ disabled').waitFor();
  await page.getByRole('button', { name: 'Enable …' }).click();
  await page.getByRole('button', { name: 'Remove COMPUTE_STATUS_DISABLED' }).click();
  await page.getByText('Written.').waitFor();
  expect((await traits()).toSorted()).toEqual(before.toSorted());
});

test('selected hosts are disabled and enabled again by two presses each, whatever is claimed there meanwhile', async () => {
  const hosts = ['az1-rack04-node01', 'az1-rack04-node02'];
  const disabled = async () => {
    const filter = `{ names: ["${hosts.join('", "')}"], traits: { allOf: "COMPUTE_STATUS_DISABLED" } }`;
    return (await ask(`{ resourceProviders(first: 10, filter: ${filter}) { totalCount } }`)).resourceProviders.totalCount;
  };
  const { page } = await open('/hosts?q=az1-rack04-node0');
  const dialog = page.getByRole('dialog');
  for (const host of hosts) await page.getByLabel(`Select ${host}`, { exact: true }).check();
  await page.getByRole('button', { name: 'Disable…' }).click();
  await dialog.getByRole('heading', { name: 'Disable the selected hosts' }).waitFor();
  await dialog.getByText('2 hosts will have the trait COMPUTE_STATUS_DISABLED').waitFor();
  await claimOn(hosts[0] ?? '');
  await dialog.getByRole('button', { name: 'Disable 2 hosts' }).click();
  await dialog.getByText('Changed 2 hosts.').waitFor();
  expect(await disabled()).toBe(2);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Enable…' }).click();
  await dialog.getByRole('button', { name: 'Enable 2 hosts' }).click();
  await dialog.getByText('Changed 2 hosts.').waitFor();
  await claimOn(hosts[1] ?? '');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Undone').waitFor();
  expect(await disabled()).toBe(2);
});

test('the preview says which of the selected hosts stay as they are, and the button counts only the others', async () => {
  const { page } = await open('/hosts?q=az1-rack04-node0');
  const dialog = page.getByRole('dialog');
  await ask(
    'mutation { patchTraits(input: { select: { filter: { names: ["az1-rack04-node05"] } }, add: ["COMPUTE_STATUS_DISABLED"], dryRun: false }) { userErrors { message } } }',
  );
  for (const number of [4, 5, 6]) await page.getByLabel(`Select az1-rack04-node0${number}`, { exact: true }).check();
  await page.getByRole('button', { name: 'Disable…' }).click();
  await dialog.getByText('2 hosts will have the trait COMPUTE_STATUS_DISABLED').waitFor();
  await dialog.getByText('1 host has it already: az1-rack04-node05.').waitFor();
  await dialog.getByRole('button', { name: 'Disable 2 hosts' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Enable…' }).click();
  await dialog.getByText('2 hosts do not have it: az1-rack04-node04, az1-rack04-node06.').waitFor();
  await dialog.getByRole('button', { name: 'Enable 1 host' }).waitFor();
});

test('a preview marks the hosts that are disabled among those that would change', async () => {
  await ask(
    `mutation { createTrait(input: { name: "CUSTOM_MARKED" }) { created }
      patchTraits(input: { select: { filter: { names: ["az1-rack04-node08"] } }, add: ["COMPUTE_STATUS_DISABLED"], dryRun: false }) { userErrors { message } } }`,
  );
  const { page } = await open('/hosts?q=az1-rack04-node0');
  const dialog = page.getByRole('dialog');
  for (const number of [7, 8]) await page.getByLabel(`Select az1-rack04-node0${number}`, { exact: true }).check();
  const expectMarks = async () => {
    await dialog.getByText('✕ 1 of these hosts is disabled.').waitFor();
    const lines = await dialog.getByRole('listitem').allInnerTexts();
    expect(lines.map((line) => [line.slice(0, 17), line.includes('✕ disabled')]).toSorted()).toEqual([
      ['az1-rack04-node07', false],
      ['az1-rack04-node08', true],
    ]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  };
  await page.getByRole('button', { name: 'Edit inventory…' }).click();
  await dialog.getByLabel('Class').selectOption('DISK_GB');
  await dialog.getByLabel('Reserved (GiB)').fill('132');
  await expectMarks();
  await page.getByRole('button', { name: 'Set or remove a trait…' }).click();
  await dialog.getByLabel('Trait').fill('CUSTOM_MARKED');
  await page.keyboard.press('Enter');
  await expectMarks();
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
