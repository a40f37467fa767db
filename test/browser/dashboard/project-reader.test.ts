// The pages as somebody sees them who may read only the own project: they ask for nothing that is refused, and show nothing of others.
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidOf as demoUuid } from '../../../src/commands/demo/names.ts';
import { tokenFor, useTokensFile } from '../../support/tokens-file.ts';
import { expectQuiet, seriousViolations } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const tokensFile = useTokensFile();
let token = '';
let admin = '';
beforeAll(async () => {
  token = await tokenFor(tokensFile, 'joe', ['reader'], { project: 'video' });
  admin = await tokenFor(tokensFile, 'root', ['admin'], { project: 'admin' });
});
// Which reads the file as it starts.
const { openAs, url } = useDemoGateway({ PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: tokensFile });

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

/** As an administrator; fails the test if it is refused. */
async function write(query: string, input: object) {
  const response = await fetch(`${url()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': admin },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = (await response.json()) as { data?: Record<string, { userErrors: unknown }>; errors?: unknown };
  expect(errors).toBeUndefined();
  expect(Object.values(data ?? {}).map(({ userErrors }) => userErrors)).toEqual([[]]);
}

const replaceQuotas = (quotas: readonly object[]) =>
  write('mutation ($input: ReplaceQuotasInput!) { replaceQuotas(input: $input) { userErrors { message } } }', {
    expect: { unchecked: true },
    project: 'video',
    quotas,
  });

describe('quotas', () => {
  test('are shown with what is left, and whether they are the defaults; one that is exceeded says so', async () => {
    await replaceQuotas([
      { resourceClass: 'VCPU', amount: 1 },
      { resourceClass: 'VCPU', aggregate: demoUuid('az1'), amount: 1000 },
      { consumerType: 'PORT', user: 'video-operator' },
    ]);
    const observed = await openAs(token, '/projects/video');
    const { page } = observed;
    const quotas = page.getByRole('region', { name: 'Quotas' });
    await quotas.waitFor();
    const lines = await quotas.getByRole('listitem').allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^VCPU ▲ [\d,]+ % \d+ of 1 \d+ over quota: nothing more is granted$/),
      expect.stringMatching(/^VCPU in az1 \d+ % \d+ of 1,000 \d+ left$/),
      expect.stringMatching(/^MEMORY_MB \d+ % [\d.]+ of 7.81 TiB [\d.]+ [GT]iB left · default$/),
      expect.stringMatching(/^consumers of type INSTANCE \d+ % \d+ of 1,000 \d+ left · default$/),
      expect.stringMatching(/^consumers of type PORT of user video-operator no bound \d+ used$/),
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
    expectQuiet(observed);
  });

  test('follow what the project claims', async () => {
    await replaceQuotas([]);
    const { page } = await openAs(token, '/');
    const servers = page.getByRole('region', { name: 'Quotas' }).getByRole('listitem').filter({ hasText: 'INSTANCE' });
    const left = async () => Number(/([\d,]+) left/.exec(await servers.innerText())?.[1]?.replace(',', ''));
    const before = await left();
    await write('mutation ($input: ClaimInput!) { claim(input: $input) { userErrors { message } } }', {
      consumers: [{ consumer: crypto.randomUUID(), expect: { isNew: true }, project: 'video', user: 'joe', consumerType: 'INSTANCE' }],
      request: { groups: { resources: { resourceClass: 'VCPU', amount: 1 } } },
    });
    await expect.poll(left).toBe(before - 1);
  });

  test('are the bound of what still fits if they leave less than the hosts', async () => {
    await replaceQuotas([
      { resourceClass: 'VCPU', amount: 100_000 },
      { resourceClass: 'MEMORY_MB' },
      { consumerType: 'INSTANCE', amount: 0 },
    ]);
    const { page } = await openAs(token, '/fit?r=VCPU:1');
    await page.getByText('The quota does not allow it. The hosts have room.').waitFor();
    await page.getByText(/consumers of type INSTANCE: 1 asked for, 0 left of the quota \(\d+ of 0 used\)/).waitFor();
    expect(await page.getByText('VCPU: 1 asked for').count()).toBe(0);
    await replaceQuotas([]);
    await page.reload();
    await page.getByText('There is room for one more.').waitFor();
  });

  test('of a zone are named if they leave less than is asked for', async () => {
    await replaceQuotas([
      { resourceClass: 'VCPU', aggregate: demoUuid('az1'), amount: 0 },
      { resourceClass: 'VCPU', aggregate: demoUuid('az2'), amount: 100_000 },
    ]);
    const { page } = await openAs(token, '/fit?r=VCPU:1');
    await page.getByText('The hosts have room for one more, but not every zone has quota for it.').waitFor();
    expect(await page.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^▲ VCPU in az1: 1 asked for, 0 left of the quota \(\d+ of 0 used\)$/),
    ]);
    await replaceQuotas([]);
  });

  test('are waited for before it is said what fits, and are missed if they cannot be read', async () => {
    const { page } = await openAs(token, '/consumers');
    let refuse = () => {};
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON()?.operationName !== 'ProjectQuotas') return route.continue();
      await held;
      await route.fulfill({ json: { errors: [{ message: 'Too busy.', extensions: { code: 'OVERLOADED' } }] } });
    });
    const answered = page.waitForResponse((response) => response.request().postDataJSON()?.operationName === 'OneMore');
    await page.goto(`${url()}/fit?r=VCPU:1`);
    await answered;
    await page.locator('main').getByText('Loading …').waitFor();
    expect(await page.getByText('There is room for one more.').count()).toBe(0);
    refuse();
    await page.getByText('There is room for one more.').waitFor();
    await page.getByText('The quotas of the project cannot be shown: Too busy.').waitFor();
  });

  test('of a gateway that does not know any are not shown, and nothing fails', async () => {
    const { page } = await openAs(token, '/consumers');
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.operationName === 'ProjectQuotas'
        ? route.fulfill({
            status: 400,
            json: {
              errors: [{ message: 'Cannot query field "quotaUses" on type "Project".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
            },
          })
        : route.continue(),
    );
    const refused = page.waitForResponse((response) => response.status() === 400);
    await page.goto(`${url()}/projects/video`);
    await refused;
    await page.getByRole('table', { name: 'consumers of video' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Quotas' }).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('the first page is that of the project: its use by class, the trend, what it has, and what still fits', async () => {
  const { page, operations } = await openAs(token, '/');
  await page.getByRole('heading', { level: 1, name: 'video' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/projects/video');
  const response = await fetch(`${url()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify({ query: '{ usages { nodes { consumerCount resources { amount resourceClass { name } } } } }' }),
  });
  const { data } = (await response.json()) as { data: { usages: { nodes: ReturnType<typeof JSON.parse> } } };
  const [{ consumerCount, resources }] = data.usages.nodes;
  const use = page.getByRole('region', { name: 'Use by class' });
  await use.getByText(`Held by ${consumerCount} consumers.`).waitFor();
  expect(await use.getByRole('term').allInnerTexts()).toEqual(
    resources.map((one: { resourceClass: { name: string } }) => one.resourceClass.name),
  );
  await page.getByRole('table', { name: 'consumers of video' }).waitFor();
  expect(operations).toContain('UsageTrend');
  expect(await page.getByText('It cannot be shown').count()).toBe(0);
  await use.getByRole('link', { name: 'What still fits?' }).click();
  await page.getByLabel('Amount of VCPU').fill('1');
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.getByText('There is room for one more.').waitFor();
  await page.getByLabel('Amount of VCPU').fill('100000');
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.getByText('There is no room for it now, nor quota.').waitFor();
  expect(await page.locator('main').innerText()).not.toContain('rack');
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
  expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['What fits?', 'Consumers', 'Projects', 'History']);
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
  ['/hosts', 'placement:graphql:resource_providers:read'],
  ['/providers/az1-rack01-node01', 'placement:graphql:resource_providers:read'],
])('%s, which is not for them, says so in full: the missing right, and the request to ask about', async (path, rule) => {
  const { page } = await openAs(token, path);
  const refused = page.getByRole('alert').filter({ hasText: 'Your roles do not allow this' }).first();
  await refused.waitFor();
  expect(await refused.locator('code').allInnerTexts()).toEqual([rule, expect.stringMatching(/^req-[0-9a-f-]{36}$/)]);
  expect(await refused.getByRole('button').allInnerTexts()).toEqual(['Copy']);
  expect(await page.getByRole('link', { name: /^(Hosts|Overview)$/ }).count()).toBe(0);
});

test('the search box suggests only what belongs to the project', async () => {
  const { page } = await openAs(token, '/consumers');
  const box = page.getByRole('combobox', { name: /^Search for/ });
  await box.fill('vi');
  await expect
    .poll(() => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allInnerTexts())
    .toEqual([expect.stringMatching(/^video\s+project$/)]);
  await box.fill('az1');
  await page.getByText('Nothing has this in its name.').waitFor();
  expect(await box.getAttribute('aria-expanded')).toBe('false');
});

test('the menu says who is signed in, chooses the theme, lists the keys, and signs out', async () => {
  const observed = await openAs(token, '/consumers');
  const { page } = observed;
  await page.getByRole('table', { name: 'consumers' }).waitFor();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await menu.getByText('Signed in as joe for video.').waitFor();
  await menu.getByLabel('Theme').selectOption('dark');
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  expect(await seriousViolations(page)).toEqual([]);
  await menu.getByRole('button', { name: 'Keys' }).click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  expectQuiet(observed);
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: /Sign in/ }).waitFor();
});
