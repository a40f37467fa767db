// "What fits?" in the browser: asked by form, by flavor and by address, and what it says when nothing fits.
import { expect, test } from 'vitest';
import { expectQuiet } from '../observed.ts';
import { useDemoGateway } from './demo-gateway.ts';

const { ask, open } = useDemoGateway();

test('the form asks, the address keeps the request, and the number is that of the API', async () => {
  const observed = await open('/fit');
  const { page } = observed;
  await page.getByLabel('Amount of VCPU').fill('4');
  // Disk is offered, too, and not asked for without an amount.
  expect(await page.getByLabel('Amount of DISK_GB').inputValue()).toBe('');
  await page.getByLabel('Amount of MEMORY_MB').fill('8192');
  await page.getByText('MiB = 8 GiB').waitFor();
  await page.getByLabel('Traits', { exact: true }).fill('-COMPUTE_STATUS_DISABLED');
  await page.keyboard.press('Enter');
  await page.getByText('not COMPUTE_STATUS_DISABLED').waitFor();
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.getByText('claimed one after another').waitFor();
  expect(new URL(page.url()).search).toBe('?r=VCPU:4,MEMORY_MB:8192&t=-COMPUTE_STATUS_DISABLED');

  const { fit } =
    await ask(`{ fit(input: { groups: { resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }],
    traits: { noneOf: "COMPUTE_STATUS_DISABLED" } } }) { total exact } }`);
  const verdict = page.getByRole('status').filter({ hasText: 'claimed one after another' });
  expect(await verdict.innerText()).toContain(fit.total.toLocaleString('en'));
  expect((await verdict.innerText()).includes('At least')).toBe(!fit.exact);
  await page.getByRole('heading', { name: /^Candidates/ }).waitFor();
  expectQuiet(observed);
});

test('it says where: by zone and rack, without aggregates that are no places, each with the number of the API and a way to the map', async () => {
  const observed = await open('/fit?r=VCPU:8,MEMORY_MB:16384');
  const { page } = observed;
  const { fit } =
    await ask(`{ fit(input: { groups: { resources: [{ resourceClass: "VCPU", amount: 8 }, { resourceClass: "MEMORY_MB", amount: 16384 }] } }) {
    byAggregate(first: 1000) { nodes { count aggregate { name } } } } }`);
  const counts = new Map(
    fit.byAggregate.nodes.map(({ count, aggregate }: { count: number; aggregate: { name: string } }) => [aggregate.name, count]),
  );
  for (const name of ['az1', 'az2']) {
    const zone = page.getByRole('region', { name, exact: true });
    await zone.waitFor();
    expect(await zone.getByRole('heading').getByRole('strong').innerText()).toBe(String(counts.get(name)));
    expect(await zone.getByRole('heading').innerText()).toMatch(/VCPU [\d,.K]+ free, MEMORY_MB [\d.]+ TiB free/);
    const racks = await zone.getByRole('listitem').allInnerTexts();
    expect(racks.map((text) => text.split(/\s+/).slice(0, 2))).toEqual(
      Array.from({ length: 10 }, (_, place) => `rack${String(place + 1).padStart(2, '0')}`).map((rack) => [
        rack,
        String(counts.get(`${name}-${rack}`)),
      ]),
    );
  }
  expect(await page.getByText('hdd-service').count()).toBe(0);
  await page.getByRole('region', { name: 'az2', exact: true }).getByRole('link', { name: 'rack03' }).click();
  await page.getByText('by use of VCPU').waitFor();
  expect(new URL(page.url()).searchParams.getAll('in')).toEqual(['az2', 'az2-rack03']);
  expectQuiet(observed);
});

test('it says how many more the quotas of a project allow beside the room of the hosts, and which quota decides', async () => {
  const setQuotas = (generation: number, quotas: string) =>
    ask(
      `mutation { replaceQuotas(input: { expect: { generation: ${generation} }, project: "new-shop", quotas: [${quotas}] }) { event { kind } } }`,
    );
  await setQuotas(0, '{ resourceClass: "VCPU", amount: 30 }, { consumerType: "INSTANCE", amount: 900000 }');
  const observed = await open('/fit?r=VCPU:4');
  const { page } = observed;
  await page.getByLabel('Within the quotas of project').fill('new-shop');
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.getByText('The quotas of project new-shop allow 7 more. VCPU of project new-shop decides: 0 of 30 used.').waitFor();
  await page.getByText('claimed one after another').waitFor();
  expect(new URL(page.url()).search).toBe('?r=VCPU:4&project=new-shop');
  const { page: ofGpus } = await open('/fit?r=VGPU:1&project=new-shop');
  await ofGpus.getByText('The quotas of project new-shop allow 900,000 more. The hosts have room for fewer.').waitFor();
  await setQuotas(1, '{ resourceClass: "VCPU" }, { consumerType: "INSTANCE" }');
  await page.reload();
  await page.getByText('No quota of project new-shop bounds it.').waitFor();
  expectQuiet(observed);
});

test('candidates have what is free and used, and are sorted by it over the whole cloud', async () => {
  const { page } = await open('/fit?r=VCPU:2');
  const rows = page.getByRole('table', { name: 'candidates' }).getByRole('row');
  const free = async () =>
    (await rows.allInnerTexts()).slice(1).map((text) => Number(/(\d+) free \d+ used, takes 2/.exec(text.replaceAll(/\s+/g, ' '))?.[1]));
  await rows.nth(1).waitFor();
  await page.getByLabel('First those with').selectOption('most free VCPU');
  await expect.poll(() => new URL(page.url()).search).toBe('?r=VCPU:2&sort=-VCPU'.replace(':', '%3A'));
  const { resourceProviders } = await ask(
    '{ resourceProviders(first: 1, filter: { isRoot: true }, orderBy: { field: FREE, resourceClass: "VCPU", direction: DESC }) { nodes { inventories { resourceClass { name } free } } } }',
  );
  const most = resourceProviders.nodes[0].inventories.find(
    (one: { resourceClass: { name: string } }) => one.resourceClass.name === 'VCPU',
  ).free;
  await expect.poll(async () => (await free())[0]).toBe(most);
  const sorted = await free();
  expect(sorted).toHaveLength(50);
  expect(sorted.some(Number.isNaN)).toBe(false);
  await page.getByLabel('First those with').selectOption('least free VCPU');
  await expect.poll(async () => (await free())[0]).toBeLessThan(most);
});

test('if none fits, it shows what ruled the trees out, and what would help can be tried', async () => {
  const observed = await open('/fit?r=VCPU:4,VGPU:900');
  const { page } = observed;
  await page.getByText('None fits.').waitFor();
  await page.getByRole('heading', { name: 'What ruled the trees out' }).waitFor();
  await page.getByText(/▲ −\d/).waitFor();
  const question = page.url();
  await page
    .getByRole('button', { name: /^Try it/ })
    .first()
    .click();
  await page.getByText('claimed one after another').waitFor();
  expect(page.url()).not.toBe(question);
  await page.goBack();
  await page.getByText('None fits.').waitFor();
  expectQuiet(observed);
});

test('if the amount of a class is too large, it says how much is free, and how large the largest host is, in readable units', async () => {
  const { resourceProviders } = await ask(
    '{ resourceProviders(first: 1, filter: { resourceClasses: ["MEMORY_MB"] }, orderBy: { field: FREE, resourceClass: "MEMORY_MB", direction: DESC }) { nodes { name } } }',
  );
  const { page } = await open('/fit?r=MEMORY_MB:4194304');
  const result = page.getByRole('region', { name: 'What fits' });
  await result
    .getByText(/MEMORY_MB: 4 TiB asked for; the most that is free on one provider is \d+ GiB, on .*; the largest host has only \d+ GiB\./)
    .waitFor();
  await result.getByRole('link', { name: resourceProviders.nodes[0].name, exact: true }).first().waitFor();
  await result
    .getByText(/room for 4 TiB of MEMORY_MB|give 4 TiB of MEMORY_MB/)
    .first()
    .waitFor();
  expect(await result.innerText()).not.toMatch(/4,194,304|MiB/);
});

test('a flavor is pasted, and its request is shown as GraphQL that leads to the explorer', async () => {
  const observed = await open('/fit');
  const { page } = observed;
  await page.getByText('Paste a flavor').click();
  await page
    .getByRole('textbox', { name: /openstack flavor show/ })
    .fill('{"vcpus": 2, "ram": 4096, "disk": 20, "properties": {"trait:HW_CPU_X86_AVX2": "required"}}');
  await page.getByRole('button', { name: 'Use this flavor' }).click();
  await page.getByText('claimed one after another').waitFor();
  const address = decodeURIComponent(new URL(page.url()).search);
  for (const part of ['VCPU:2', 'MEMORY_MB:4096', 'DISK_GB:20', 'HW_CPU_X86_AVX2']) expect(address).toContain(part);
  await page.getByText('As GraphQL').click();
  const link = new URL((await page.getByRole('link', { name: 'Open in the explorer' }).getAttribute('href')) ?? '', page.url());
  expect(new URLSearchParams(link.hash.slice(1)).get('query')).toContain('resourceClass: "VCPU", amount: 2');
  expectQuiet(observed);
});

test('a refusal is shown in the words of the gateway', async () => {
  const { page } = await open('/fit?r=CUSTOM_NOTHING:1');
  await page
    .getByRole('region', { name: 'What fits' })
    .getByText(/CUSTOM_NOTHING/)
    .first()
    .waitFor();
});
