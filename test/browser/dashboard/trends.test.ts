// The use over time, of the whole cloud and of its parts: charts whose times are in the address, which the keyboard and screen readers can read.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ageEvents } from '../../support/chunks.ts';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { open, ask, db } = useDemoGateway();
const chart = (page: Page, title: string) => page.getByRole('figure', { name: title, exact: true });
const slider = (page: Page, title: string) => page.getByRole('slider', { name: `Moments of ${title}`, exact: true });

/** Forty days: VCPU grow evenly by one in a hundred a day to 60 of 100, MEMORY_MB stays at its half. Hosts were added ten days ago. */
beforeAll(async () => {
  await db().writes`
    insert into usage_samples (at, totals)
    select at, jsonb_build_array(
      jsonb_build_array(false, 'VCPU', 1, 100000, 0, 100000, round(60000 - 1000 * (extract(epoch from now() - at) / 86400))),
      jsonb_build_array(false, 'MEMORY_MB', 1, 2048, 0, case when at < now() - interval '10 days' then 1024 else 2048 end, 512))
    from generate_series(date_trunc('hour', now()) - interval '40 days', date_trunc('minute', now()), interval '15 minutes') at
    on conflict do nothing`;
});

describe('the whole cloud', () => {
  test('has a chart of each class on an axis that fits, and asks once for all of them', async () => {
    const observed = await open('/trends?range=week');
    const { page, operations } = observed;
    await chart(page, 'VCPU')
      .getByText(/The axis begins at [1-9][\d,]*, not at zero\./)
      .waitFor();
    await chart(page, 'MEMORY_MB').waitFor();
    expect(await page.getByRole('button', { name: 'week', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await page.waitForLoadState('networkidle');
    await page.evaluate("window.dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))");
    await page.waitForLoadState('networkidle');
    expect(operations.filter((name) => name.endsWith('Trend'))).toEqual(['CloudTrend']);
    const [panel, plot] = await Promise.all([chart(page, 'VCPU').boundingBox(), slider(page, 'VCPU').boundingBox()]);
    expect((plot?.width ?? 0) / (panel?.width ?? 1)).toBeGreaterThan(0.8);
    expectQuiet(observed);
  });

  test('is read moment by moment with the arrow keys, in all charts at once', async () => {
    const { page } = await open('/trends?range=week');
    await slider(page, 'VCPU').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => slider(page, 'VCPU').getAttribute('aria-valuenow')).toBe('0');
    const first = await slider(page, 'VCPU').getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider(page, 'VCPU').getAttribute('aria-valuenow')).toBe('1');
    const second = await slider(page, 'VCPU').getAttribute('aria-valuetext');
    expect(first).toMatch(/^\d+ \w+ \d\d:\d\d UTC: 53 %, 5[23],\d{3} of 100K$/);
    expect(second).not.toBe(first);
    await chart(page, 'MEMORY_MB')
      .getByText(second?.split(': ')[0] ?? '')
      .waitFor();
    await page.keyboard.press('Escape');
    await chart(page, 'MEMORY_MB')
      .getByText(/The axis begins/)
      .waitFor();
  });

  test('is compared with a week before, in the address', async () => {
    const { page, operations } = await open('/trends?range=day&class=VCPU');
    await chart(page, 'VCPU').waitFor();
    expect(await page.getByRole('figure').count()).toBe(1);
    await page.getByRole('button', { name: 'compare with a week before' }).click();
    await expect.poll(() => new URL(page.url()).search).toContain('compare=week');
    await expect.poll(() => slider(page, 'VCPU').getAttribute('aria-valuetext')).toMatch(/; a week before 5[23] %/);
    expect(operations.filter((name) => name === 'CloudTrend')).toHaveLength(2);
    await page.getByRole('button', { name: 'All classes' }).click();
    await chart(page, 'MEMORY_MB').waitFor();
  });

  test('is estimated for thirty days only from a month or more, and says from when anything is known', async () => {
    const { page } = await open('/trends?range=week');
    await page.getByText('A month or a quarter also estimates the next thirty days.').waitFor();
    expect(await page.getByText(/in thirty days, /).count()).toBe(0);
    await page.getByRole('button', { name: 'quarter', exact: true }).click();
    await page
      .getByText(/VCPU: 60 % now\. At the rate of the last (39|40) days: (89 to )?90 % in thirty days, full (on|between) \d+ \w+/)
      .waitFor();
    await page
      .getByText(/MEMORY_MB: 25 % now\. At the rate of the last (39|40) days: 25 % in thirty days, not full within 90 days\./)
      .waitFor();
    await page.getByText(/Nothing older than \d+ \w+ \d\d:\d\d UTC is known\./).waitFor();
    await chart(page, 'MEMORY_MB')
      .getByText(/The plain line is the capacity\./)
      .waitFor();
  });

  test('is not asked for any longer once the page is left', async () => {
    const { page } = await open('/hosts');
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.operationName === 'CloudTrend' ? undefined : route.continue(),
    );
    const asked = page.waitForRequest((request) => request.postDataJSON()?.operationName === 'CloudTrend');
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByRole('link', { name: 'Trends' }).click();
    const request = await asked;
    const failed = page.waitForEvent('requestfailed', (one) => one === request);
    await navigation.getByRole('link', { name: 'Consumers' }).click();
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
  });

  test('has its amounts in a table, and nothing serious for those who cannot see', async () => {
    const { page } = await open('/trends?range=quarter&compare=week');
    await page.getByText('The amounts as a table').click();
    const titles = page.getByRole('table', { name: 'use over time' }).getByRole('columnheader');
    await expect.poll(() => titles.allInnerTexts()).toEqual(['moment', 'MEMORY_MB', 'VCPU']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
  });
});

test('the overview leads to the trends of the cloud, and in a zone to those of the zone', async () => {
  const observed = await open('/');
  const { page } = observed;
  await page
    .getByRole('region', { name: /^Capacity/ })
    .getByRole('link', { name: 'Trends', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Trends of the whole cloud' }).waitFor();
  await page.goto(`${observed.origin}/?in=az1`);
  await page.getByRole('link', { name: 'Trends of az1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Trends of az1' }).waitFor();
  await page
    .getByText(/Nothing (older|is known|was in use)/)
    .first()
    .waitFor();
  expectQuiet(observed);
});

test('a provider has the trends of its tree, and a project those of its consumers', async () => {
  const observed = await open('/providers/az1-rack09-node01');
  const { page } = observed;
  await page.getByRole('link', { name: 'Trends', exact: true }).last().click();
  await page.getByRole('heading', { name: 'Use over the last day' }).waitFor();
  await page.goto(`${observed.origin}/projects/video`);
  await page.getByRole('heading', { name: 'Use over the last day' }).waitFor();
  expectQuiet(observed);
});

test('what is left is shown, and since when, after older events have been deleted', async () => {
  const { resourceProviders } = await ask('{ resourceProviders(first: 1, filter: { names: "az1-rack02-node05" }) { nodes { uuid } } }');
  const [{ uuid }] = resourceProviders.nodes;
  await ageEvents({ db: db() } as Parameters<typeof ageEvents>[0], 3);
  const before = await open('/providers/az1-rack02-node05?tab=trends&range=week');
  await chart(before.page, 'VCPU').waitFor();
  await before.page.getByText(/Nothing older than/).waitFor();
  await db().writes`update change_feed set pruned_event_id = 1`;
  const observed = await open(`/providers/${uuid}?tab=trends&range=week`);
  await chart(observed.page, 'VCPU').waitFor();
  await observed.page.getByText(/Nothing older than/).waitFor();
  expect(observed.operations.filter((name) => ['UsageTrend', 'OldestEvent'].includes(name))).toEqual([
    'UsageTrend',
    'OldestEvent',
    'UsageTrend',
  ]);
});
