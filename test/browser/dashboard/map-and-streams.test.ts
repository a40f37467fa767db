// What the page says of being live while its map is still on the way.
import { expect, test } from 'vitest';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();

test('a page is live only when its map is there: what happens before would be missed', async () => {
  const observed = await demo.open('/events');
  const { page, operations } = observed;
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
  await page.getByRole('heading', { name: 'Capacity' }).waitFor();
  await page.getByRole('button', { name: /catching up/ }).waitFor();
  // Longer than the other stream of the page takes to open.
  await page.waitForTimeout(1500);
  expect(await page.getByRole('button', { name: '● live' }).count()).toBe(0);
  release();
  await page.getByRole('button', { name: '● live' }).waitFor();
  expect(operations.filter((name) => name === 'CloudMap')).toHaveLength(1);
});
