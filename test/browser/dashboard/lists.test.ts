// Consumers, projects, the history and the search: filters live in the address, lists lead on, and names that others chose do no harm.
import { readFile } from 'node:fs/promises';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

describe('consumers', () => {
  test('are filtered in the address, by keyboard, and the back button restores it', async () => {
    const observed = await open('/consumers');
    const { page } = observed;
    await page.getByText('2,000 consumers').waitFor();
    await page.getByLabel('Project', { exact: true }).fill('web-shop');
    await page.keyboard.press('Enter');
    const { consumers } = await ask('{ consumers(first: 0, filter: { projects: "web-shop" }) { totalCount } }');
    await page.getByText(`${consumers.totalCount.toLocaleString('en')} consumers`).waitFor();
    expect(new URL(page.url()).search).toBe('?project=web-shop');
    await page.goBack();
    await page.getByText('2,000 consumers').waitFor();
    expect(await page.getByLabel('Project', { exact: true }).inputValue()).toBe('');
    expectQuiet(observed);
  });

  test('show more, and save what is shown', async () => {
    const { page } = await open('/consumers?type=INSTANCE');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('These 200 rows').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'consumers as CSV', exact: true }).click(),
    ]);
    const rows: string[][] = parseCsv(await readFile(await download.path(), 'utf8'), { bom: true });
    expect(rows).toHaveLength(201);
    expect(new Set(rows.slice(1).map(([, type]) => type))).toEqual(new Set(['INSTANCE']));
  });

  test('are leftovers if they are on several hosts and have not changed for an hour', async () => {
    const { page } = await open('/consumers?left=1');
    await page.getByText('0 consumers').waitFor();
    expect(await page.getByLabel('Leftovers only').isChecked()).toBe(true);
  });
});

test('all consumers are saved as files, not only those in view, with what they hold as lists in JSON', async () => {
  const { page } = await open('/consumers');
  let pagesOfFile = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postDataJSON()?.variables?.first === 500) pagesOfFile += 1;
  });
  await page.getByText('2,000 consumers').waitFor();
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'All consumers as CSV' }).click()]);
  const rows: Record<string, string>[] = parseCsv(await readFile(await csv.path()), { bom: true, columns: true });
  await page.getByText('Saved 2,000 rows.').waitFor();
  expect([csv.suggestedFilename(), rows.length, new Set(rows.map(({ consumer }) => consumer)).size]).toEqual(['consumers.csv', 2000, 2000]);
  expect(pagesOfFile).toBe(4);
  const [json] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'All consumers as JSON' }).click()]);
  const objects: { consumer: string; holds: unknown[] }[] = JSON.parse(await readFile(await json.path(), 'utf8'));
  expect(objects.map(({ consumer }) => consumer)).toEqual(rows.map(({ consumer }) => consumer));
  for (const { holds } of objects)
    expect(holds[0]).toEqual({ provider: expect.any(String), resourceClass: expect.any(String), amount: expect.any(Number) });
});

test('a file is read on when the gateway answers again, and can be cancelled', async () => {
  const { page } = await open('/consumers');
  await page.getByText('2,000 consumers').waitFor();
  let isAway = true;
  await page.route('**/graphql', (route) => {
    const { operationName, variables } = route.request().postDataJSON();
    return operationName === 'Consumers' && isAway && variables.after !== null ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'All consumers as CSV' }).click();
  await page.getByText('500 of 2,000 rows').waitFor();
  await page.getByText('The gateway does not answer.').first().waitFor();
  isAway = false;
  const download = await page.waitForEvent('download');
  expect(parseCsv(await readFile(await download.path()), { bom: true, columns: true })).toHaveLength(2000);
  isAway = true;
  await page.getByRole('button', { name: 'All consumers as CSV' }).click();
  await page.getByText('500 of 2,000 rows').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled: nothing was saved.').waitFor();
});

test('a project shows its use by type and by user, its consumers and its history', async () => {
  const { usages } = await ask(
    '{ usages(filter: { projects: "video" }, groupBy: [CONSUMER_TYPE]) { nodes { consumerType consumerCount } } }',
  );
  const observed = await open('/projects');
  const { page } = observed;
  await page.getByRole('link', { name: 'video', exact: true }).click();
  const types = page.getByRole('table', { name: 'use by type' });
  for (const { consumerType, consumerCount } of usages.nodes) {
    await types
      .getByRole('row')
      .filter({ hasText: consumerType })
      .filter({ hasText: String(consumerCount) })
      .waitFor();
  }
  await page.getByRole('table', { name: 'use by user' }).waitFor();
  await page.getByRole('table', { name: 'consumers of video' }).waitFor();
  await page.getByRole('region', { name: 'History' }).locator('summary').first().waitFor();
  expectQuiet(observed);
});

describe('the history', () => {
  test('unfolds to the fields that changed', async () => {
    const observed = await open('/events?kind=REPLACE_INVENTORIES');
    const { page } = observed;
    const fold = page.locator('main ol > li').first();
    await fold.locator('summary').first().click();
    await fold
      .getByText(/: .* → /)
      .first()
      .waitFor();
    await fold
      .getByRole('link', { name: /^changed provider / })
      .first()
      .click();
    await page.getByRole('list', { name: 'Providers of the tree' }).waitFor();
    expectQuiet(observed);
  });

  test('reports typing errors', async () => {
    const { page } = await open('/events?consumer=az1-rack01-node01');
    await page.getByRole('alert').getByText('Consumers have no names').waitFor();
  });

  test('leads from an event to all events of its request', async () => {
    const { page } = await open('/events?kind=RESHAPE');
    await page.getByText('The ledger has no such events.').waitFor();
    const { events } = await ask('{ events(first: 1) { nodes { requestId } } }');
    const [{ requestId }] = events.nodes;
    await page.getByLabel('Kind').selectOption('');
    await page.getByLabel('Request id').fill(requestId);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.locator('main summary').first().waitFor();
    expect(new URL(page.url()).searchParams.get('request')).toBe(requestId);
  });
});

test('a uuid is searched among everything that has uuids', async () => {
  const { consumers } = await ask('{ consumers(first: 1) { nodes { uuid } } }');
  const [{ uuid }] = consumers.nodes;
  const { page } = await open(`/search?q=${uuid}`);
  await page.getByRole('link', { name: `${uuid.slice(0, 8)}…` }).click();
  await page.getByRole('heading', { name: uuid }).waitFor();
});

describe('a hostile name', () => {
  const names = [
    '<script>document.title="taken"</script>',
    '"]; x[label="y',
    "=cmd|' /C calc'!A0",
    'safe\u202egnp.exe',
    '😀'.repeat(50),
    '../../events',
    '{{7*7}}',
  ];

  test.each(names)('%j is only text, in the page and in the search, and its provider has an address', async (name) => {
    const { createResourceProvider } = await ask(
      'mutation ($name: String!) { createResourceProvider(input: { name: $name }) { resourceProvider { uuid } userErrors { message } } }',
      { name },
    );
    expect(createResourceProvider.userErrors).toEqual([]);
    const observed = await open(`/search?q=${encodeURIComponent(name)}`);
    const { page } = observed;
    const shown = name.replace('\u202e', '\\u{202e}');
    await page.getByRole('link', { name: shown, exact: true }).click();
    await page.getByRole('heading', { name: shown, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/providers/${createResourceProvider.resourceProvider.uuid}`);
    await expect.poll(() => page.title()).toBe(`${shown} · Placement`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Tree of .* as CSV$/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.csv$/);
    const [, [cell] = []] = parseCsv(await readFile(await download.path(), 'utf8'), { bom: true });
    expect([name, `'${name}`]).toContain(cell);
    expectQuiet(observed);
  });
});
