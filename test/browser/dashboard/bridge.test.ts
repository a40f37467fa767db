// What operators see of the bridge to another Placement, whichever side leads.
import { expect, test } from 'vitest';
import { insertBridge, insertRead } from '../../../src/db/bridge.ts';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { db, open, own } = useDemoGateway();
const url = 'http://placement.controller.example:8778/placement';

test('without a bridge nothing of it is shown, and it is asked for once', async () => {
  const observed = await open('/');
  const { page, operations } = observed;
  await page.getByText('Fullest by VCPU').waitFor();
  await page.waitForLoadState('networkidle');
  expect(operations.filter((name) => name === 'Bridge')).toHaveLength(1);
  expect(await page.locator('a[href="/bridge"]').count()).toBe(0);
  expectQuiet(observed);
});

test('every page says which side leads and how far the other one is behind, and the page of the bridge what to do next', async () => {
  await insertBridge(db(), url);
  await own()`update bridge set compared_at = now(), carrier_until = now() + interval '1 hour'`;
  await own()`insert into bridge_gateways (gateway, epoch, seen_at) values (gen_random_uuid(), 1, now() + interval '1 hour')`;
  const { page } = await open('/providers/az1-rack09-node01');
  const line = page.locator('a[href="/bridge"]');
  await line.getByText(`Follows ${url}, up to date`, { exact: true }).waitFor();

  // A write of the dashboard is refused, in the words of the gateway.
  await page.getByRole('button', { name: 'Edit DISK_GB of az1-rack09-node01' }).click();
  await page.getByLabel('Reserved (GiB)').fill('123');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This gateway follows another Placement. Nothing was written: send writes to the REST API').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await own()`insert into bridge_notes (noun, key, noted_at) values ('consumer', 'c', now() - interval '90 seconds')`;
  await own()`insert into bridge_differences (noun, key, reason) values ('trait', 'CUSTOM_ODD', 'the trait is in use')`;
  await insertRead(db(), {
    ...{ route: '/traits', request: 'GET /traits', version: '1.39', difference: 'one more here' },
    ...{ otherTime: 2, ownTime: 1, choiceFits: null, choiceRank: null },
  });
  await line.getByText(`▲ Follows ${url}, 1 min behind; 1 object differs`, { exact: true }).waitFor();
  await line.click();
  await page.getByRole('heading', { name: 'Bridge' }).waitFor();
  await page.getByRole('row', { name: /trait.*CUSTOM_ODD.*the trait is in use/ }).waitFor();
  await page.getByRole('row', { name: /traits.*GET .traits \(1.39\): one more here/ }).waitFor();
  await page.getByText('placement-gateway bridge lead').waitFor();
  await page.getByText('1 object differs (placement-gateway bridge status)').waitFor();
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([width, colorScheme, ...(await seriousViolations(page))]).toEqual([width, colorScheme]);
    }
    expect([width, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([width, 0]);
  }

  await own()`delete from bridge_notes`;
  await own()`delete from bridge_differences`;
  await own()`update bridge set mode = 'leading'`;
  await page.getByText('Leads; the other Placement is up to date').waitFor();
  await page.getByText('It would lose nothing.').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await line.getByText('Leads; the other Placement is up to date', { exact: true }).waitFor();
  await own()`update bridge set mode = 'ended'`;
  await line.waitFor({ state: 'detached' });
});
