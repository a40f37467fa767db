// The history while something is written: it says how much is new, and shows it when asked to.
import { expect, test } from 'vitest';
import { useDemoGateway } from './demo-gateway.ts';

const demo = useDemoGateway();

async function write(name: string): Promise<void> {
  const { createTrait } = await demo.ask('mutation ($name: String!) { createTrait(input: { name: $name }) { userErrors { message } } }', {
    name,
  });
  expect(createTrait.userErrors).toEqual([]);
}

test('the history does not move, but says how much is new, and while paused, says so later', async () => {
  const { page } = await demo.open('/events');
  await page.getByRole('button', { name: '● live' }).waitFor();
  await page.locator('main summary').first().waitFor();
  /** Without how long ago it was, which follows the clock. */
  const history = () =>
    page
      .locator('main ol')
      .first()
      .evaluate((list) => {
        const copy = list.cloneNode(true) as typeof list;
        for (const time of copy.querySelectorAll('time')) time.remove();
        return copy.textContent;
      });
  const before = await history();
  await write('CUSTOM_NEWS_1');
  await page.getByRole('button', { name: 'Show 1 new' }).waitFor();
  await page.keyboard.press('l');
  await page.getByRole('button', { name: '⏸ paused' }).waitFor();
  await write('CUSTOM_NEWS_2');
  await write('CUSTOM_NEWS_3');
  await page.keyboard.press('l');
  const show = page.getByRole('button', { name: 'Show 3 new' });
  await show.waitFor();
  expect(await history()).toBe(before);
  await show.click();
  await page.locator('main ol').getByText('create trait').first().waitFor();
  await show.waitFor({ state: 'detached' });
});

test('the list of consumers says how many writes changed consumers, and then shows them; other writes are no news for it', async () => {
  const { page } = await demo.open('/consumers');
  await page.getByRole('button', { name: '● live' }).waitFor();
  await page.getByText('2,000 consumers').waitFor();
  await write('CUSTOM_NO_NEWS');
  const { resourceProvider } = await demo.ask('{ resourceProvider(name: "az1-rack01-node01") { uuid } }');
  const allocations = [{ resourceProvider: resourceProvider.uuid, resources: [{ resourceClass: 'DISK_GB', amount: 1 }] }];
  const claim = {
    consumer: crypto.randomUUID(),
    expect: { isNew: true },
    project: 'news',
    user: 'news',
    consumerType: 'INSTANCE',
    hold: { allocations },
  };
  const { replaceAllocations } = await demo.ask(
    'mutation ($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }',
    { input: { consumers: [claim] } },
  );
  expect(replaceAllocations.userErrors).toEqual([]);
  await page.getByRole('button', { name: 'Show 1 new' }).click();
  await page.getByText('2,001 consumers').waitFor();
});

test('with an older gateway, which refuses kinds that it does not know, all writes are news for the list of consumers', async () => {
  const { page } = await demo.open('/explorer');
  const refusals: string[] = [];
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(String(message).replace('RELEASE_EXPIRED', 'OF_LATER')));
    server.onMessage((message) => {
      if (String(message).includes('OF_LATER')) refusals.push(String(message));
      socket.send(message);
    });
  });
  await page.goto(`${demo.url()}/consumers`);
  await expect.poll(() => refusals.length).toBe(1);
  await page.getByRole('button', { name: '● live' }).waitFor();
  await expect
    .poll(async () => {
      await write(`CUSTOM_LATER_${crypto.randomUUID().replaceAll('-', '').toUpperCase()}`);
      return page.getByRole('button', { name: /^Show \d+ new$/ }).count();
    })
    .toBe(1);
  expect(refusals).toEqual([expect.stringContaining('BAD_USER_INPUT')]);
});
