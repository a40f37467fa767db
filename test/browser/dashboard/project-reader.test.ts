// The pages as somebody sees them who may read only the own project: they ask for nothing that is refused, and show nothing of others.
import { beforeAll, expect, test } from 'vitest';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const tokensFile = useTokensFile();
let token = '';
beforeAll(async () => {
  token = await tokenFor(tokensFile, 'joe', ['reader'], { project: 'video' });
});
// Which reads the file as it starts.
const { openAs } = useDemoGateway({ PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });

test('the project, its consumers and its history are shown, without hosts and without writers', async () => {
  const observed = await openAs(token, '/projects');
  const { page } = observed;
  await page.getByText('1 project holds resources.').waitFor();
  expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()).not.toContain('Hosts');
  await page.getByRole('link', { name: 'video', exact: true }).click();
  const consumers = page.getByRole('table', { name: 'consumers of video' });
  await consumers.waitFor();
  await page.getByRole('region', { name: 'History' }).locator('li').first().waitFor();
  expect(await page.locator('main').innerText()).not.toContain('rack');
  await consumers.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('table', { name: /^allocations of / }).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['class', 'amount']);
  expect(await page.getByRole('button', { name: /Release/ }).count()).toBe(0);
  expectQuiet(observed);
});

test('no link is in view before it is known who may follow it, and then nothing on the page moves', async () => {
  const observed = await openAs(token, '/search');
  const { page } = observed;
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: 'Projects' }).waitFor();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === 'Viewer') await asked;
    await route.continue();
  });
  await page.goto(page.url().replace('/search', '/projects'));
  await page.getByText('1 project holds resources.').waitFor();
  const place = await page.locator('main').boundingBox();
  expect(await page.getByRole('link', { name: /Hosts|Projects/ }).count()).toBe(0);
  answer();
  await navigation.getByRole('link', { name: 'Projects' }).waitFor();
  expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Consumers', 'Projects', 'History']);
  expect(await page.locator('main').boundingBox()).toEqual(place);
});

test.each(['/consumers', '/events', '/search?q=video'])('%s is answered', async (path) => {
  const observed = await openAs(token, path);
  await observed.page.locator('main li, main td').first().waitFor();
  expectQuiet(observed);
});

test('another project, and a provider, are not', async () => {
  const { page } = await openAs(token, '/projects/web-shop');
  await page.getByRole('heading', { name: 'web-shop does not exist' }).waitFor();
  await page.goto(page.url().replace('/projects/web-shop', '/providers/az1-rack01-node01'));
  await page.getByText('placement:graphql:resource_providers:read').first().waitFor();
});

test.each([
  ['/', 'placement:graphql:inventories:read'],
  ['/hosts', 'placement:graphql:resource_providers:read'],
  ['/fit?r=VCPU:1', 'placement:graphql:candidates:read'],
  ['/providers/az1-rack01-node01', 'placement:graphql:resource_providers:read'],
])('%s, which is not for them, says so in full: the missing right, and the request to ask about', async (path, rule) => {
  const { page } = await openAs(token, path);
  const refused = page.getByRole('alert').filter({ hasText: 'Your roles do not allow this' }).first();
  await refused.waitFor();
  expect(await refused.locator('code').allInnerTexts()).toEqual([rule, expect.stringMatching(/^req-[0-9a-f-]{36}$/)]);
  expect(await refused.getByRole('button').allInnerTexts()).toEqual(['Copy']);
  expect(await page.getByRole('link', { name: /^(Hosts|Overview|What fits\?)$/ }).count()).toBe(0);
});
