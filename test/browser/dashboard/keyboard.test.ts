// Every page without a mouse: how it is reached, that the keys go on in it, and that the ways back and forth and a reload lead to the same.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { open } = useDemoGateway();

const mostTabs = 60;
const focused = (page: Page) =>
  page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""') as Promise<string>;

/** Presses Tab until something of this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tab = 0; tab < mostTabs; tab++) {
    await page.keyboard.press('Tab');
    if (name.test((await focused(page)).trim())) return;
  }
  throw new Error(`${mostTabs} times Tab do not lead to ${name}`);
}

const keys =
  (...pressed: readonly string[]) =>
  async (page: Page) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
const enter = (name: RegExp) => async (page: Page) => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

const uuid = /^[0-9a-f]{8}…$/;
const host = 'az1-rack09-node01';

/** Each page: from where, what is there before, how, its heading, and what the keys then reach in it. */
const pages: readonly (readonly [
  name: string,
  from: string,
  before: RegExp,
  how: (page: Page) => Promise<void>,
  heading: RegExp,
  reaches: RegExp,
])[] = [
  ['the overview', '/hosts', /^200 hosts$/, keys('g', 'o'), /^Overview$/, /^Hosts by use of VCPU/],
  ['the hosts', '/', /^Fullest by VCPU/, keys('g', 'h'), /^Hosts$/, /^az1-rack01-node01$/],
  ['a host', '/hosts', /^200 hosts$/, enter(/^az1-rack01-node01$/), /^az1-rack01-node01$/, /^Edit DISK_GB/],
  ['what fits', '/hosts', /^200 hosts$/, keys('g', 'f'), /^What fits\?$/, /^Show what fits$/],
  ['the consumers', '/hosts', /^200 hosts$/, keys('g', 'c'), /^Consumers$/, uuid],
  ['a consumer', '/consumers', /^2,000 consumers$/, enter(uuid), /^[0-9a-f-]{36}$/, /^Release …$/],
  ['the projects', '/hosts', /^200 hosts$/, keys('g', 'p'), /^Projects$/, /^video$/],
  ['a project', '/projects', /projects hold resources/, enter(/^video$/), /^video$/, uuid],
  ['the history', '/hosts', /^200 hosts$/, keys('g', 'e'), /^History$/, /replace/],
  ['a search', '/hosts', /^200 hosts$/, keys('/', ...'rack09-node01', 'Enter'), /^Results for rack09-node01$/, new RegExp(`^${host}$`)],
];

test.each(pages)('%s is reached, left and used without a mouse', async (_name, from, before, how, heading, reaches) => {
  const observed = await open(from);
  const { page } = observed;
  const was = page.getByText(before).first();
  const is = page.getByRole('heading', { level: 1, name: heading });
  await was.waitFor();
  const start = page.url();
  await how(page);
  await is.waitFor();
  const address = page.url();
  expect(address).not.toBe(start);
  await page.locator('main').getByText('Loading …').first().waitFor({ state: 'detached' });
  // Who reads with ears or keys is in the new page already.
  await expect.poll(() => page.evaluate('document.querySelector("main").contains(document.activeElement)')).toBe(true);
  await tabTo(page, reaches);

  await page.goBack();
  await was.waitFor();
  expect(page.url()).toBe(start);
  await page.goForward();
  await is.waitFor();
  expect(page.url()).toBe(address);
  await page.reload();
  await is.waitFor();
  expect(page.url()).toBe(address);
  expectQuiet(observed);
});

/** What a keyboard sends for Shift and a key: the place of the key on the keyboard, and what the layout writes. */
const shifted: readonly (readonly [layout: string, question: string, slash: string | null])[] = [
  ['US', 'Slash', null],
  ['German', 'Minus', 'Digit7'],
  ['Nordic', 'Minus', 'Digit7'],
];

test.each(shifted)('? and / work on a %s keyboard, where they need Shift, and after Tab and Escape', async (_layout, question, slash) => {
  const { page } = await open('/hosts');
  await page.getByText(/^200 hosts$/).waitFor();
  const session = await page.context().newCDPSession(page);
  const press = async (key: string, code: string) => {
    const shift = { key: 'Shift', code: 'ShiftLeft' };
    const isShifted = code !== 'Slash' || key === '?';
    if (isShifted) await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', modifiers: 8, ...shift });
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', modifiers: isShifted ? 8 : 0, key, code, text: key });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', modifiers: isShifted ? 8 : 0, key, code });
    if (isShifted) await session.send('Input.dispatchKeyEvent', { type: 'keyUp', modifiers: 0, ...shift });
  };
  await press('?', question);
  await page.getByRole('dialog').getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await press('/', slash ?? 'Slash');
  await expect.poll(() => focused(page)).toMatch(/^Search for names/);
});

test('keys do nothing to the page behind a dialog, wherever the focus is', async () => {
  const { page } = await open('/hosts');
  await page.getByText(/^200 hosts$/).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await keys('g', 'p')(page);
  expect([await dialog.count(), new URL(page.url()).pathname]).toEqual([1, '/hosts']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await keys('g', 'p')(page);
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
});
