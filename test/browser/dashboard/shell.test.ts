// What surrounds every page: the search box with its suggestions, the titles of the tabs, and addresses without a page.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

const box = (page: Page) => page.getByRole('combobox', { name: /^Search for/ });
const suggested = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

describe('the search box', () => {
  test('suggests what matches while the person types, with few questions, and the arrow keys and Enter open a suggestion', async () => {
    const observed = await open('/hosts');
    const { page, operations } = observed;
    await page.getByText(/^200 hosts$/).waitFor();
    // By the clock of the page, ten milliseconds from key to key.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('/');
    for (const key of 'rack09-node0') {
      await page.keyboard.press(key);
      await page.clock.runFor(10);
    }
    await page.clock.resume();
    await expect.poll(() => suggested(page).count()).toBe(4);
    // One for the whole text, and perhaps one for its beginning: the list that asks is loaded meanwhile.
    expect(operations.filter((name) => name === 'Search').length).toBeLessThan(3);
    expect(await box(page).getAttribute('aria-expanded')).toBe('true');
    expect(await box(page).getAttribute('aria-activedescendant')).toBeNull();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const first = suggested(page).first();
    const firstId = await first.getAttribute('id');
    await expect.poll(() => box(page).getAttribute('aria-activedescendant')).toBe(firstId);
    await expect.poll(() => first.getAttribute('aria-selected')).toBe('true');
    // Up from the first option leads to the box, and from there to the last.
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => box(page).getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowUp');
    const last = suggested(page).last();
    await expect.poll(() => last.getAttribute('aria-selected')).toBe('true');
    const name = (await last.locator('bdi').first().innerText()).trim();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await expect.poll(async () => [await suggested(page).count(), await box(page).inputValue()]).toEqual([0, '']);
    expectQuiet(observed);
  });

  test('opens what is clicked, and Escape closes the list but keeps the text', async () => {
    const { page } = await open('/hosts');
    await box(page).fill('az1-rack0');
    await suggested(page).first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => suggested(page).count()).toBe(0);
    expect(await box(page).inputValue()).toBe('az1-rack0');
    await page.keyboard.press('ArrowDown');
    await suggested(page).getByText('az1-rack01', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('in')).not.toBeNull();
    await page.getByText('10 of 200 hosts').waitFor();
  });

  test('Enter leads from an exact name or uuid to its page at once, and Back from there to where it was entered', async () => {
    const { consumers } = await ask('{ consumers(first: 1) { nodes { uuid } } }');
    const { resourceProvider } = await ask('{ resourceProvider(name: "az1-rack09-node01") { uuid } }');
    const { uuid } = consumers.nodes[0];
    const { page } = await open('/hosts');
    for (const [text, heading] of [
      ['az1-rack09-node01', 'az1-rack09-node01'],
      [resourceProvider.uuid.toUpperCase(), 'az1-rack09-node01'],
      [uuid, uuid],
      ['video', 'video'],
    ]) {
      await page.getByText(/^200 hosts$/).waitFor();
      await box(page).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(await box(page).inputValue()).toBe('');
      await page.goBack();
    }
  });

  test('Enter leads from any other text to the results, whose link shows them, too', async () => {
    const { page } = await open('/hosts');
    await box(page).fill('rack09-node01');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'az1-rack09-node01', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=rack09-node01');
    expect(await box(page).inputValue()).toBe('rack09-node01');
    await page.goto(page.url().replace('rack09-node01', 'az1-rack09-node01'));
    await page.getByRole('heading', { name: 'Results for az1-rack09-node01' }).waitFor();
  });
});

test('each tab is titled with what it shows', async () => {
  const { consumers } = await ask('{ consumers(first: 1) { nodes { uuid } } }');
  const { uuid } = consumers.nodes[0];
  const { resourceProvider } = await ask('{ resourceProvider(name: "az1-rack09-node01") { uuid } }');
  const { page } = await open('/');
  for (const [path, title] of [
    ['/', 'Overview'],
    ['/?in=az1&in=az1-rack02', 'az1-rack02'],
    ['/hosts', 'Hosts'],
    ['/providers/az1-rack09-node01', 'az1-rack09-node01'],
    [`/providers/${resourceProvider.uuid}?tab=history`, 'az1-rack09-node01, History'],
    [`/consumers/${uuid}`, `Consumer ${uuid}`],
    ['/projects/video', 'video'],
    ['/search?q=rack09', 'Results for rack09'],
  ]) {
    await page.goto(new URL(path ?? '', page.url()).href);
    await expect.poll(() => page.title()).toBe(`${title} · Placement`);
  }
  await page.getByRole('link', { name: 'Hosts', exact: true }).click();
  await expect.poll(() => page.title()).toBe('Hosts · Placement');
});

test('an address without a page says so, in the frame of the other pages, and leads to the first one', async () => {
  const { page } = await open('/nowhere/at-all');
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByText('There is no page at this address').getByRole('link').click();
  await page.getByText('Fullest by VCPU').waitFor();
});

test.each([
  [1440, 900],
  [3840, 2160],
])('a wall of %i × %i pixels is filled, and nothing is below it', async (width, height) => {
  const { page } = await open('/');
  await page.setViewportSize({ width, height });
  for (const layout of ['', '&layout=size']) {
    await page.goto(new URL(`/?wall=1${layout}`, page.url()).href);
    await page.getByText('Leave the wall').waitFor();
    await page.getByRole('listbox', { name: /^Hosts by use/ }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollHeight - window.innerHeight')).toBe(0);
  }
});
