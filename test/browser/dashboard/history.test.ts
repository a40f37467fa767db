// The history names whom each request was about, folds the writes of a request, and is filtered by the names of hosts and by time.
import { expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();

interface Named {
  readonly uuid: string;
}

/** Claims a unit of disk on a host, in a request of its own, and returns the uuid of the server. */
async function claimOn(name: string): Promise<string> {
  const { resourceProvider } = await demo.ask('query ($name: String!) { resourceProvider(name: $name) { uuid } }', { name });
  const consumer = crypto.randomUUID();
  const allocations = [{ resourceProvider: (resourceProvider as Named).uuid, resources: [{ resourceClass: 'DISK_GB', amount: 1 }] }];
  const input = {
    consumers: [{ consumer, expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE', hold: { allocations } }],
  };
  const { replaceAllocations } = await demo.ask(
    'mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }',
    { input },
  );
  expect(replaceAllocations.userErrors).toEqual([]);
  return consumer;
}

test('each claim is a row with its host and its server, which lead to their pages', async () => {
  const servers = [await claimOn('az1-rack01-node01'), await claimOn('az1-rack01-node02')];
  const observed = await demo.open('/events');
  const { page } = observed;
  const rows = page.locator('main ol > li');
  await rows.first().waitFor();
  for (const [index, name] of ['az1-rack01-node02', 'az1-rack01-node01'].entries()) {
    const row = rows.nth(index);
    await row.getByText('replace allocations').waitFor();
    expect(await row.getByRole('link', { name }).getAttribute('href')).toBe(`/providers/${name}`);
    expect(await row.locator(`a[href="/consumers/${servers[1 - index]}"]`).count()).toBe(1);
  }
  await rows.first().getByRole('link', { name: 'az1-rack01-node02' }).click();
  await page.getByRole('heading', { level: 1, name: 'az1-rack01-node02' }).waitFor();
  expectQuiet(observed);
});

test('writes of one request are one row, which opens to all of them', async () => {
  const { events } = await demo.ask('{ events(first: 2) { nodes { requestId } } }');
  const [, older] = events.nodes as { readonly requestId: string }[];
  await demo.own()`update events set request_id = ${older?.requestId ?? ''} where id = (select max(id) from events)`;
  const { page } = await demo.open(`/events?request=${older?.requestId}`);
  await page.getByText('replace allocations ×2').click();
  await expect.poll(() => page.locator('main ol ol > li').count()).toBe(2);
  expect(await page.locator('main ol').first().locator('xpath=./li').count()).toBe(1);
});

test('a name finds the events of its host, a part of a name those of several, and moments limit them', async () => {
  const { page } = await demo.open('/events');
  await page.getByLabel('Host or provider (name or uuid)').fill('az1-rack09-node01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const rows = page.locator('main ol > li');
  await rows.getByText('apply provider tree').waitFor();
  expect(await rows.filter({ has: page.getByRole('link', { name: /^az1-rack09-node01/ }) }).count()).toBe(await rows.count());
  await page.getByLabel('Host or provider (name or uuid)').fill('az2-rack03');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('10 hosts with az2-rack03 in their names').waitFor();
  // Without seconds: the browser drops those that are zero, and the driver refuses a value that does not stay as it is.
  await page.getByLabel('From (UTC)').fill('2099-01-01T00:00');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('The ledger has no such events.').waitFor();
  await page.getByLabel('Host or provider (name or uuid)').fill('nowhere');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('alert').getByText('No host has nowhere in its name.').waitFor();
});

test('a change of traits names them in its row', async () => {
  await demo.ask(
    'mutation { patchTraits(input: { select: { filter: { names: ["az1-rack05-node01", "az1-rack05-node02"] } }, add: ["COMPUTE_STATUS_DISABLED"], dryRun: false }) { userErrors { message } } }',
  );
  const { page } = await demo.open('/events?kind=PATCH_TRAITS');
  await page.getByText('patch traits: added COMPUTE_STATUS_DISABLED').first().waitFor();
});
