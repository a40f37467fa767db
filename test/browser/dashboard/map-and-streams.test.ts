// What a page shows while its map, or its streams, are still on the way.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();

test('a page is live only once its map is loaded, because earlier changes would be missed', async () => {
  // Of a height without the table of zones, which needs another map.
  const { page, operations } = await demo.open('/events', { height: 500 });
  await page.getByRole('heading', { name: 'History' }).waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === 'CloudMap') await held;
    await route.continue();
  });
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: /^Capacity/ }).waitFor();
  await page.getByRole('button', { name: /catching up/ }).waitFor();
  // Longer than the other stream of the page takes to open.
  await page.waitForTimeout(1500);
  expect(await page.getByRole('button', { name: '● live' }).count()).toBe(0);
  release();
  await page.getByRole('button', { name: '● live' }).waitFor();
  expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(1);
});

/** The page at an address, of which the socket opens only when that is allowed. */
async function openWithoutStreams(path: string): Promise<{ page: Page; allow: () => void }> {
  const { page } = await demo.open('/explorer');
  let allow = () => {};
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const early: (string | Buffer)[] = [];
    socket.onMessage((message) => void early.push(message));
    void allowed.then(() => {
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(message));
      for (const message of early) server.send(message);
    });
  });
  await page.goto(`${demo.url()}${path}`);
  return { page, allow };
}

test('a write after a page was read, and before its stream begins, is shown', async () => {
  const host = 'az1-rack01-node02';
  const { page, allow } = await openWithoutStreams(`/providers/${host}`);
  await page.getByRole('heading', { name: host }).waitFor();
  await demo.ask('mutation { createTrait(input: { name: "CUSTOM_BETWEEN" }) { userErrors { message } } }');
  const { patchTraits } = await demo.ask(
    'mutation ($host: String!) { patchTraits(input: { add: "CUSTOM_BETWEEN", select: { filter: { nameStartsWith: $host, isRoot: true } } }) { userErrors { message } } }',
    { host },
  );
  expect(patchTraits.userErrors).toEqual([]);
  allow();
  await page.locator('main').getByText('CUSTOM_BETWEEN').first().waitFor({ state: 'attached' });
});

test('a write after a list was read, and before its stream begins, is in the list', async () => {
  const { page, allow } = await openWithoutStreams('/events?kind=CREATE_TRAIT');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.waitForLoadState('networkidle');
  await demo.ask('mutation { createTrait(input: { name: "CUSTOM_BEFORE_NEWS" }) { userErrors { message } } }');
  allow();
  await page.locator('main ol').getByText('create trait').first().waitFor();
});
