// What reservations keep, on the pages of a host, of a project and of the trends: as those who see hosts, as a reader of the project, and as somebody who may not
// read reservations.
import { rmSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';
import { expectQuiet, seriousViolations, spoken } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const tokensFile = useTokensFile();
const policyFile = `${tokensFile}.policy.yaml`;
const tokens = { admin: '', reader: '', guest: '' };
beforeAll(async () => {
  writeFileSync(policyFile, '"placement:graphql:reservations:read": "(role:admin or rule:project_reader_api) and not role:guest"\n');
  tokens.admin = await tokenFor(tokensFile, 'root', ['admin'], { project: 'admin' });
  tokens.reader = await tokenFor(tokensFile, 'joe', ['reader'], { project: 'web-shop' });
  tokens.guest = await tokenFor(tokensFile, 'eve', ['admin', 'guest'], { project: 'admin' });
});
afterAll(() => rmSync(policyFile, { force: true }));
const { openAs, url } = useDemoGateway({
  PLACEMENT_AUTH: 'static',
  PLACEMENT_TOKENS_FILE: tokensFile,
  PLACEMENT_POLICY_FILE: policyFile,
});

/** As an administrator; fails the test if it is refused. */
async function ask(query: string, variables: object = {}) {
  const response = await fetch(`${url()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': tokens.admin },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Record<string, ReturnType<typeof JSON.parse>>; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

async function reserve(project: string, startsAt: string, endsAt: string, amounts: Readonly<Record<string, number>>): Promise<string> {
  const reservation = crypto.randomUUID();
  const allocations = Object.entries(amounts).map(([resourceProvider, amount]) => ({
    ...{ resourceProvider, resources: [{ resourceClass: 'VCPU', amount }] },
  }));
  const input = { reservation, expect: { isNew: true }, project, startsAt, endsAt, hold: { allocations } };
  const { replaceReservation } = await ask(
    'mutation ($input: ReplaceReservationInput!) { replaceReservation(input: $input) { userErrors { message } } }',
    { input },
  );
  expect(replaceReservation.userErrors).toEqual([]);
  return reservation;
}

const section = (page: Page, name = 'Reservations') => page.getByRole('region', { name, exact: true });
const slider = (page: Page) => section(page).getByRole('slider', { name: 'Moments of VCPU kept' });
const cells = (page: Page, row: number) =>
  page.getByRole('table', { name: 'reservations', exact: true }).getByRole('row').nth(row).getByRole('cell').allInnerTexts();

/** Two hosts with room: the first has a reservation that runs, of which 3 are claimed, and one that begins tomorrow. */
const hosts: { uuid: string; name: string }[] = [];
let first = '';
beforeAll(async () => {
  const { resourceProviders } = await ask(
    '{ resourceProviders(first: 100, filter: { isRoot: true, nameContains: "az1-rack" }) { nodes { uuid name inventory(resourceClass: "VCPU") { free } } } }',
  );
  const free = resourceProviders.nodes.filter(({ inventory }: { inventory: { free: number } | null }) => (inventory?.free ?? 0) >= 20);
  hosts.push(...free.slice(0, 3));
  const [here = '', beside = ''] = hosts.map(({ uuid }) => uuid);
  first = await reserve('web-shop', hours(0), hours(30), { [here]: 6, [beside]: 2 });
  await reserve('video', hours(24), hours(48), { [here]: 10 });
  await ask('mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }', {
    input: {
      consumers: [
        {
          ...{ consumer: crypto.randomUUID(), expect: { isNew: true }, project: 'web-shop', user: 'joe', consumerType: 'INSTANCE' },
          ...{ reservation: first, hold: { allocations: [{ resourceProvider: here, resources: [{ resourceClass: 'VCPU', amount: 3 }] }] } },
        },
      ],
    },
  });
});

describe('for those who see hosts, a host', () => {
  test('has a band of what is kept of its capacity, which the arrow keys read, and the reservations below', async () => {
    const observed = await openAs(tokens.admin, `/providers/${hosts[0]?.name}`);
    const { page } = observed;
    await section(page)
      .getByText(/^VCPU 6 of [\d,]+ kept now, at most 16 from \d+ \w+ \d\d:\d\d UTC$/)
      .waitFor();
    await slider(page).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/ UTC: 6 of [\d,]+ kept$/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/ UTC: 16 of [\d,]+ kept, 10 of it by what begins later$/);
    await page.keyboard.press('End');
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/ UTC: 0 of [\d,]+ kept$/);
    const moment = expect.stringMatching(/^\d+ \w+ \d\d:\d\d UTC/);
    expect(await cells(page, 1)).toEqual([
      `${first.slice(0, 8)}…`,
      'web-shop',
      expect.stringMatching(/ · runs$/),
      moment,
      '6 VCPU',
      '3 VCPU',
    ]);
    expect(await cells(page, 2)).toEqual([expect.anything(), 'video', moment, moment, '10 VCPU', 'nothing']);
    expectQuiet(observed);
  });

  test('says beside what is free how much of it is promised, and leads, by keys too, to what that means', async () => {
    const { page } = await openAs(tokens.admin, `/providers/${hosts[0]?.name}`);
    const promised = page.getByRole('list', { name: 'Providers of the tree' }).getByRole('link', { name: '13 promised', exact: true });
    await promised.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Reservations');
    const words = await section(page).locator('p').first().innerText();
    expect(words).toContain('both with what is already claimed of them');
    expect(words).toContain(
      'Promised, beside what is free of an inventory, is the most that reservations keep of it at once, now or later, without what is already claimed of them.',
    );
    expect(words).toContain('A claim without a reservation finds what is free less what is promised');
  });

  test('without reservations has none of this, and asks for nothing more', async () => {
    const observed = await openAs(tokens.admin, `/providers/${hosts[2]?.name}`);
    await observed.page.getByRole('list', { name: 'Providers of the tree' }).waitFor();
    await observed.page.waitForLoadState('networkidle');
    expect(observed.operations).toContain('Reservations');
    expect(observed.operations).not.toContain('Promised');
    expect(await observed.page.getByText(/reservation|promised/i).count()).toBe(0);
  });

  test('has the steps as a table, and nothing serious for those who cannot see', async () => {
    const { page } = await openAs(tokens.admin, `/providers/${hosts[0]?.name}`);
    await page.getByText('The amounts kept as a table').click();
    const rows = page.getByRole('table', { name: 'amounts kept' }).getByRole('row');
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((row) => row.split('\t').slice(3).join(' ')))
      .toEqual(['kept of it by what runs', '6 6', '16 6', '10 0', '0 0']);
    expect((await spoken(page)).filter(({ name }) => name === '')).toEqual([]);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, ...(await seriousViolations(page))]).toEqual([width, colorScheme]);
      }
      expect([width, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([width, 0]);
    }
  });
});

test('for those who see hosts, a project has the amounts alone, and says on which hosts they are', async () => {
  const observed = await openAs(tokens.admin, '/projects/web-shop');
  const { page } = observed;
  await section(page).getByText('VCPU 8 kept now', { exact: true }).waitFor();
  expect((await cells(page, 1)).slice(1, 2)).toEqual([`${hosts[0]?.name}, ${hosts[1]?.name}`]);
  expectQuiet(observed);
});

test('a reader of the project sees what is kept for it, without hosts', async () => {
  const observed = await openAs(tokens.reader, '/projects/web-shop');
  const { page } = observed;
  await section(page).getByText('VCPU 8 kept now', { exact: true }).waitFor();
  expect((await cells(page, 1)).slice(-2)).toEqual(['8 VCPU', '3 VCPU']);
  expect(await page.locator('main').innerText()).not.toContain('rack');
  expect(observed.operations).not.toContain('Reservations');
  expect(await page.getByText('Promised').count()).toBe(0);
  expectQuiet(observed);
});

test.each(['admin', 'reader'] as const)(
  'the page of a project says until when its reservation runs and when the next one begins, and follows at once what happens to them (%s)',
  async (who) => {
    const { page } = await openAs(tokens[who], '/projects/web-shop');
    const times = page.getByText(/^A reservation runs until \d+ \w+ \d\d:\d\d UTC\./);
    await times.waitFor();
    await page.getByRole('button', { name: '● live' }).waitFor();
    const { y: top = 900 } = (await times.boundingBox()) ?? {};
    const { y: totals = 0 } = (await page.getByRole('region', { name: 'Use by class' }).boundingBox()) ?? {};
    expect(top).toBeLessThan(totals);
    // The page asks again by itself, too, but only every minute.
    const reservation = await reserve('web-shop', hours(48), hours(50), { [hosts[0]?.uuid ?? '']: 4 });
    await page.getByText(/The next one begins \d+ \w+ \d\d:\d\d UTC, in (47 h|1 day|2 days)\.$/).waitFor();
    await section(page).getByRole('cell', { name: '4 VCPU' }).waitFor();
    await ask('mutation ($input: ReplaceReservationInput!) { replaceReservation(input: $input) { userErrors { message } } }', {
      input: { reservation, expect: { generation: 1 }, endsAt: '2099-01-02T03:04:05Z' },
    });
    await section(page).getByText('2099-01-02 03:04:05 UTC').waitFor();
    await ask('mutation ($input: ReleaseReservationInput!) { releaseReservation(input: $input) { userErrors { message } } }', {
      input: { reservation, expect: { generation: 2 } },
    });
    await page.getByText('The next one begins').waitFor({ state: 'detached' });
  },
);

test('the trends of the whole cloud end with what all reservations keep; only the next 90 days, and the first 50, are shown and said', async () => {
  const observed = await openAs(tokens.admin, '/trends');
  const { page } = observed;
  const kept = section(page, 'Kept by reservations');
  await kept.getByText(/^VCPU 8 kept now, at most 18 from /).waitFor();
  expect(await kept.getByText('Only the').count()).toBe(0);
  await reserve('video', hours(24), hours(24 * 400), { [hosts[1]?.uuid ?? '']: 1 });
  // One after another, in the same room.
  for (let hour = 0; hour < 50; hour++) await reserve('video', hours(30 + hour), hours(31 + hour), { [hosts[2]?.uuid ?? '']: 1 });
  await page.reload();
  await kept.getByText('Only the next 90 days are drawn: some reservations end later.').waitFor();
  await kept.getByText('Only the first 50 of 53 reservations are shown, by their beginning.').waitFor();
  expect(await kept.getByRole('table').isVisible()).toBe(false);
  await kept.getByText('50 reservations', { exact: true }).click();
  await kept.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/).waitFor();
  expectQuiet(observed);
});

test('the bands go as far ahead as the address says, all on one axis of time, beside the range of the charts', async () => {
  const observed = await openAs(tokens.admin, '/trends?range=week');
  const { page } = observed;
  const kept = section(page, 'Kept by reservations');
  const chosen = () => kept.getByRole('button', { pressed: true }).innerText();
  const hoursShown = async () => {
    const until = await kept.getByRole('table', { name: 'amounts kept' }).locator('time').last().getAttribute('datetime');
    return Math.round((Date.parse(until ?? '') - Date.now()) / 3_600_000);
  };
  await kept.getByRole('button', { name: 'next day' }).click();
  await kept.getByText('Only the next day is drawn: some reservations end later.').waitFor();
  expect(new URL(page.url()).search).toBe('?range=week&ahead=day');
  await page.reload();
  await expect.poll(chosen).toBe('next day');
  await kept.getByText('The amounts kept as a table').click();
  await expect.poll(hoursShown).toBe(24);
  await kept.getByRole('button', { name: 'next week' }).click();
  await expect.poll(hoursShown).toBe(7 * 24);
  await kept.getByRole('button', { name: 'all' }).click();
  await expect.poll(chosen).toBe('all');
  expect(new URL(page.url()).search).toBe('?range=week');
  await page.goBack();
  await expect.poll(chosen).toBe('next week');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousViolations(page)).toEqual([]);
  }
  expectQuiet(observed);
});

test.each(['/projects/web-shop', '/trends'])(
  '%s has none of this for callers who may not read reservations, nor an error',
  async (path) => {
    const observed = await openAs(tokens.guest, path);
    const { page } = observed;
    await page.getByRole('heading', { name: 'Use over the last day' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(observed.operations.filter((name) => name.startsWith('Reservations'))).toEqual([]);
    expect(await page.getByRole('heading', { name: /reserv/i }).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expectQuiet(observed);
  },
);
