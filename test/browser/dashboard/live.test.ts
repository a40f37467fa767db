// The dashboard as the cloud changes: through the gateway that served it and through another, over restarts, paused, and in several tabs.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();
const { log } = createLogger({ level: 'fatal' });
/** Without the table of zones, which needs another map, of all classes. */
const heightWithoutTable = 500;
const live = (page: Page) => page.getByRole('button', { name: '● live' });

/** Claims VCPU of a host for a new consumer. */
async function claim(host: string, amount: number, url = demo.url()): Promise<void> {
  const { resourceProvider } = await demo.ask('query($host: String!) { resourceProvider(name: $host) { uuid } }', { host });
  const response = await fetch(`${url}/placement/allocations/${crypto.randomUUID()}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' },
    body: JSON.stringify({
      allocations: { [resourceProvider.uuid]: { resources: { VCPU: amount } } },
      project_id: 'live',
      user_id: 'live',
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    }),
  });
  expect(response.status).toBe(204);
}

/** What the map says of VCPU of a host. */
async function used(host: string): Promise<{ words: RegExp; amount: number }> {
  const { resourceProvider } = await demo.ask(
    'query($host: String!) { resourceProvider(name: $host) { treeInventory(resourceClass: "VCPU") { used } } }',
    {
      host,
    },
  );
  const amount = resourceProvider.treeInventory.used;
  return { words: new RegExp(`^${host}: .* ${amount} of `), amount };
}

async function wordsOnMap(page: Page, host: string): Promise<void> {
  await page.getByRole('option', { name: (await used(host)).words }).waitFor();
}

test('a claim appears on the map and in the lists, without another query for the map', async () => {
  const host = 'az1-rack01-node01';
  const { page, operations } = await demo.open(`/?host=${host}`, { height: heightWithoutTable });
  await live(page).waitFor();
  await wordsOnMap(page, host);
  await claim(host, 1);
  await wordsOnMap(page, host);
  expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(1);
  await page.getByText('by admin').first().waitFor();
});

describe('with a second gateway', () => {
  async function withAnother(work: (another: RunningServer) => Promise<void>): Promise<void> {
    const another = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: demo.db(), log });
    await work(another).finally(() => another.close());
  }

  test('its writes appear here', () =>
    withAnother(async (another) => {
      const host = 'az1-rack01-node02';
      const { page } = await demo.open(`/?host=${host}`);
      await live(page).waitFor();
      await claim(host, 1, another.url);
      await wordsOnMap(page, host);
    }));

  test('a page whose gateway restarts continues where it was, and shows what was written meanwhile', async () => {
    const hosts = ['az1-rack01-node04', 'az1-rack01-node05', 'az1-rack01-node07'];
    const first = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db: demo.db(), log });
    const port = new URL(first.url).port;
    const { page, operations } = await demo.open(`/?host=${hosts[0]}`, { origin: first.url, height: heightWithoutTable });
    await live(page).waitFor();
    await first.close();
    await page.getByText(/lost since/).waitFor();
    for (const host of hosts) await claim(host, 1);
    const second = await startServer({ settings: readSettings({ PLACEMENT_PORT: port }).settings, db: demo.db(), log });
    await live(page).waitFor();
    await wordsOnMap(page, hosts[0] ?? '');
    const maps = () => operations.filter((name) => name === 'CloudMap').length;
    expect(maps()).toBe(1);
    // With all classes, once somebody looks at a host.
    await page.getByRole('listbox').focus();
    await expect.poll(maps).toBe(2);
    // The others were changed by the same message: they are looked at by keys, without another question.
    for (const [host, steps] of [
      [hosts[1], 1],
      [hosts[2], 2],
    ] as const) {
      for (let step = 0; step < steps; step++) await page.getByRole('listbox').press('ArrowRight');
      await wordsOnMap(page, host ?? '');
    }
    expect(maps()).toBe(2);
    await page.close();
    await second.close();
  });
});

test('a paused page stays as it is until it resumes', async () => {
  const host = 'az1-rack01-node06';
  const { page } = await demo.open(`/?host=${host}`);
  await live(page).waitFor();
  await wordsOnMap(page, host);
  const before = await used(host);
  await page.keyboard.press('l');
  await page.getByRole('button', { name: '⏸ paused' }).waitFor();
  await claim(host, 1);
  // Longer than a change takes to come.
  await page.waitForTimeout(2000);
  expect(await page.getByRole('option', { name: before.words }).count()).toBe(1);
  await page.keyboard.press('l');
  await wordsOnMap(page, host);
});

test('seven tabs at once are all live', async () => {
  const host = 'az2-rack01-node01';
  const pages = await Promise.all(Array.from({ length: 7 }, async () => (await demo.open(`/?host=${host}`)).page));
  for (const page of pages) await live(page).waitFor();
  await claim(host, 1);
  for (const page of pages) await wordsOnMap(page, host);
});
